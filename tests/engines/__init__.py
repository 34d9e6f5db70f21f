"""The pages in Firefox and WebKit, by ``make test-browsers``."""
