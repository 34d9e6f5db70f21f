"""Answers made from gold: SES candidates, the score-matching picker, naive baselines.

May import consensus, policies and what lies below.
"""
