from typing import Any

handler: Any

def add(name: str, address: int) -> None: ...
