"""The games for C programs: a header for each game, used with its compiled libraries (docs/native.md)."""
