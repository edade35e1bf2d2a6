"""Games that run in a browser without a server: rules and players as WebAssembly, texts from Python, one HTML file.

| module | content |
|---|---|
| `module.py` | the WebAssembly module of a game, and its description for JavaScript |
| `sources.py`, `functions.py` | translates a Python function to JavaScript |
| `objects.py` | writes the Python objects that functions use as JavaScript |
| `program.py` | lists the Python functions that the page calls |
| `page.py`, `command.py` | builds the page as one file |
| `script/` | scripts for this page only: WebAssembly, Python's operations, tables |
"""
