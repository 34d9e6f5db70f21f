"""Pages for people: templates, words, styles and scripts."""
