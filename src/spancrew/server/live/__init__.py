"""What is derived from journals as they grow, for those who watch a campaign.

The hub feeds streams; folds keep pictures, agreement and counts up to date.
"""
