"""Who answers in a rehearsal: replayed, augmented, calibrated or numeric crowds.

May import feedback, augment and what lies below.
"""
