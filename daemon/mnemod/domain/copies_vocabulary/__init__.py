"""Words for the owner, one file a language: data of `domain.copies`."""
