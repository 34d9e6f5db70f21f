"""Who takes part: the directory, sessions, invitations and passwords."""
