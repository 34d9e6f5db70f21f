"""Rehearsals: many runs in lock step, sweeps over a pool or a cluster.

May import campaign, crowds and what lies below.
"""
