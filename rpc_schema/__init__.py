"""The wire contract of mnemod and what is generated from it. Start with README.md."""
