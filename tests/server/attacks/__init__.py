"""What somebody with bad intentions might try, and what each attempt gets."""
