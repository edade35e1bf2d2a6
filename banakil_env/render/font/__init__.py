"""The font of pictures: outlines of Roboto (Apache License 2.0, see LICENSE), so that no font must be installed."""
