"""Games that run in a browser, without a server: rules and players as WebAssembly, words from Python, one file.

| module | question |
|---|---|
| `module.py` | What of a game is WebAssembly, and what does JavaScript know of it? |
| `sources.py`, `functions.py` | How does a Python function become one of JavaScript? |
| `objects.py` | How do the objects that functions use come to JavaScript? |
| `program.py` | Which Python functions does the page call? |
| `page.py`, `command.py` | How does the page in one file come into being? |
| `script/` | the scripts of the page that are not the server's: WebAssembly, Python's meaning, tables |
"""
