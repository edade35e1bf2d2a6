"""Games that run in a browser, without a server: rules and players as WebAssembly, and the page in one file.

| module | question |
|---|---|
| `module.py` | What of a game is WebAssembly, and what does JavaScript know of it? |
"""
