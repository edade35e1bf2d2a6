"""How fast is it, and beside what? The measurements behind `banakil bench` (docs/performance.md)."""
