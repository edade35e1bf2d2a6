"""The games for programs in C: a header for each game, next to its libraries (docs/native.md)."""
