"""The write gates: what a text is before anything is formed from it. Pure functions."""
