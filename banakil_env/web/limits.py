"""How much of everything may there be? Stated in docs/playing.md."""

MAX_TABLES = 500  # kept, over ones included; `banakil serve --tables`
MAX_STREAMS = 8  # pages that follow one seat at a time
MAX_STUDIES = 32  # records kept in memory, replayed
MAX_STUDY_FILES = 1000  # records kept on disk; the one that was looked at longest ago makes room
MAX_BODY = 16 * 1024  # bytes of a request
MAX_UPLOAD = 256 * 1024  # bytes of a request that brings a record or a position
MAX_MOVES = 20_000  # of a record that is studied
MAX_NAME = 40  # characters of a person's name
MAX_TEXT = 2_000  # characters of a text such as rules or a move
MAX_PAUSE = 5_000  # milliseconds between two moves of players
MAX_SEARCH_SECONDS, MAX_SEARCH_PLAYOUTS = 5.0, 20_000  # of a search for a move
THINKERS = 2  # players that think at the same time
HEARTBEAT = 20.0  # seconds after which a stream says that it is alive
