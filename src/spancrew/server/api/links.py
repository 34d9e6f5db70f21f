"""Addresses that are given to people."""


def link_url(base: str | None, secret: str) -> str:
    """Return the address of a link; the secret stands where browsers send it to nobody.

    Without a base it begins at the root of the server: whoever called knows where that is. What
    a request says of the host is never used, because anybody can say anything.

    >>> link_url("https://crew.example/", "s3cret"), link_url(None, "s3cret")
    ('https://crew.example/enter#s3cret', '/enter#s3cret')
    """
    return f"{(base or '').rstrip('/')}/enter#{secret}"


def entry_url(base: str | None, key: str) -> str:
    """Return the address for the workers of a crowd platform, which adds who they are."""
    return f"{(base or '').rstrip('/')}/join/{key}"
