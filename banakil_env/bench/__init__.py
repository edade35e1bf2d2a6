"""The measurements of `banakil bench`: the speed of this package and of comparable ones (docs/performance.md)."""
