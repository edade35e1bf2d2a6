"""The letters of pictures: outlines of Roboto (Apache License 2.0, see LICENSE), so that no font has to be
installed."""
