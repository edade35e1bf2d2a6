"""Batches of tables on a GPU: kernels from the same code, compared with the library and measured."""
