"""The server at which clients play: the web application, and the session behind each client."""
