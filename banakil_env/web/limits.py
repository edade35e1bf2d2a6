"""The limits of the server, which docs/playing.md lists."""

MAX_TABLES = 500  # tables that are kept, including finished ones; `banakil serve --tables`
MOST_TABLES = 100_000  # the largest value of `--tables`: each table has a file, and an entry in memory
MAX_PORT = 65_535  # the largest port number
MAX_STREAMS = 8  # pages that follow one seat at the same time
MAX_STUDIES = 32  # records kept in memory, replayed
MAX_STUDY_FILES = 1000  # records kept on disk; the one used longest ago is removed first
MAX_RECORDS = 100_000  # files listed from the server's folder of records
MAX_PAGE = 100  # records in one answer
MAX_BODY = 16 * 1024  # bytes of a request
MAX_UPLOAD = 256 * 1024  # bytes of a request that contains a record or a position
MAX_MOVES = 20_000  # moves of a studied record, or of a table with moves that were taken back
MAX_NAME = 40  # characters of a person's name
MAX_TEXT = 2_000  # characters of a text such as rules or a move
MAX_PAUSE = 5_000  # milliseconds between two moves of players
MAX_ASKED = 20  # questions of studies to players that wait for an answer
COURSE_SECONDS = 60.0  # seconds of computing time for the course of one game
COURSE_STEPS = 2_000  # steps in the course of one game
MAX_COURSES, MAX_COURSES_MADE = 64, 8  # courses kept in memory; courses computed at the same time
LOOKED_SECONDS = 10.0  # seconds after a page's last request in which its course is computed further
COURSE_SLICE = 0.1  # seconds of computing time for a course before other questions of studies are answered
PLAYERS_SECONDS = 3600.0  # seconds of computing time of all players at a table without persons
TABLES_MEMORY, STUDIES_MEMORY = 256 * 2**20, 256 * 2**20  # bytes of the states kept in memory
JUST_NOW = 30.0  # seconds after a person's request in which a table counts as in use
RETRY = 5.0  # seconds until a retry: of a failed write of a player's move, or of a player whose server is down
MAX_RETRIES = 60  # number of retries of a player whose server is down
HEARTBEAT = 20.0  # seconds after which a stream sends an empty line
REQUEST_SECONDS = 10.0  # seconds in which the head and the body of a request must each arrive

# The number of threads for slow work: players at tables with persons, at tables of players alone, for hints, for
# studies;
# and for reading files. Each kind has a separate queue, so that no kind waits for another.
THREADS = {"persons": 2, "players": 1, "hints": 1, "studies": 1, "reads": 4, "records": 1}
PAUSE_OF_STREAM = 0.05  # seconds between two lines of a stream
SLICE = 0.01  # seconds for moves of quick players before other requests are served
