"""A log put on the verification ladder, turn by turn, into a RUN or into memory."""
