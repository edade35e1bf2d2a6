"""Batches of tables on a GPU: kernels compiled from the same code, compared with the library and measured."""
