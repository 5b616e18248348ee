"""The rules interpreter's reader: plain statements of a person, found without a model.

`read` is pure; the vocabularies beside it are read once, when the first text of their language
comes.
"""

from mnemod.domain.reading.reader import read

__all__ = ["read"]
