"""Videos of games: tables are drawn one after the other and written as MP4, GIF or WebP."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from banakil_env.core.install import install_line
from banakil_env.render.png import pixels

VIDEOS = (".mp4", ".gif", ".webp")
FRAMES_A_SECOND = 10  # frames per second of an MP4 file; video players seek badly with fewer
WEBP_QUALITY = 55  # from 0 to 100; at this value letters and suits are still sharp
EVEN = 2  # width and height must be multiples of this; imageio's default of 16 would stretch the picture and warn


def write_video(path: Path, kind: str, drawings: Iterable[str], seconds: float) -> None:
    """Write drawings of equal size as a video.

    Args:
        path: the file, of any name.
        kind: one of `VIDEOS`.
        drawings: the drawings as SVG.
        seconds: the time for which each drawing is shown.

    Raises:
        ImportError: the extra `video` is not installed.
        OSError: the file cannot be written.
    """
    frames = map(pixels, drawings)
    if kind == ".mp4":
        _write_mp4(path, frames, seconds)
    else:
        _write_pictures(path, kind, frames, seconds)


def _write_pictures(path: Path, kind: str, frames: Iterable[Any], seconds: float) -> None:
    from PIL import Image  # cannot fail here: `pixels` has raised before if the library is missing

    pictures = [Image.fromarray(frame) for frame in frames]
    how: dict[str, Any] = {"quality": WEBP_QUALITY}
    if kind == ".gif":
        pictures, how = [picture.quantize(64) for picture in pictures], {}
    shown = {"save_all": True, "append_images": pictures[1:], "duration": round(1000 * seconds), "loop": 0}
    pictures[0].save(path, kind[1:].upper(), **shown, **how)


def _write_mp4(path: Path, frames: Iterable[Any], seconds: float) -> None:
    try:
        from imageio_ffmpeg import write_frames
    except ImportError as error:
        raise ImportError(f"MP4 needs imageio-ffmpeg: {install_line('video')}") from error
    writer = None
    for frame in frames:
        if writer is None:
            size, kind = (frame.shape[1], frame.shape[0]), ["-f", "mp4"]
            options = {"output_params": kind, "ffmpeg_log_level": "error", "macro_block_size": EVEN}
            writer = write_frames(path, size, fps=FRAMES_A_SECOND, **options)
            writer.send(None)
        for _ in range(max(1, round(FRAMES_A_SECOND * seconds))):
            writer.send(frame)
    if writer is not None:
        writer.close()
