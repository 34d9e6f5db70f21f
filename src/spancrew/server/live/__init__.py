"""What is folded from journals as they grow: streams, pictures, figures."""
