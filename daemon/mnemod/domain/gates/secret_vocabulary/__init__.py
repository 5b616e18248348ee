"""How people write and say passwords and keys, one file a locale, and whose keys look like what.

All locales apply to every text: people mix languages. In a pattern `name` is what the secret is
called, `value` the secret.
"""
