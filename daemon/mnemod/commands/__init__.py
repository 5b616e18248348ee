"""One module a command; `mnemod.cli` imports only the one that was asked for."""
