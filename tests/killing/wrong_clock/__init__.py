"""A folder that goes on PYTHONPATH, to give a program a clock that is wrong."""
