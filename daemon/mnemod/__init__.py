"""mnemod: a memory daemon. Import nothing here: the proxy starts in milliseconds."""

__version__ = "0.1.0"
