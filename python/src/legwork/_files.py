"""How the proofs of a task become files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Union

from typing_extensions import TypeAlias

from .models import GetTaskProofResult, Proof

Folder: TypeAlias = Union[str, "os.PathLike[str]"]

ENDINGS = {
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/avif": "avif",
    "image/heic": "heic",
    "video/mp4": "mp4",
    "video/webm": "webm",
    "video/quicktime": "mov",
    "audio/mp4": "m4a",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/webm": "weba",
}
"""File extensions by media type. A name that a worker chose never becomes part of a path."""


def plan_files(answer: GetTaskProofResult, folder: Folder, proof_id: str | None) -> Iterator[tuple[Path, str | Proof]]:
    """The path of every file, with the link to download, or with the proof whose text and answer it holds."""
    number = 0
    for i, proof in enumerate(answer.proofs, 1):
        is_wanted = proof_id is None or proof_id == proof.id
        for file in proof.media:
            number += 1
            if is_wanted:
                ending = ENDINGS.get(file.content_type, "bin")
                yield Path(folder, f"{answer.task_id}-{number}.{ending}"), file.url
        if is_wanted:
            yield Path(folder, f"{answer.task_id}-proof-{i}.json"), proof


def write_proof(path: Path, proof: Proof) -> None:
    said = proof.model_dump(mode="json", exclude={"photos", "media"}, exclude_unset=True)
    path.write_text(f"{json.dumps(said, indent=2, ensure_ascii=False)}\n", encoding="utf-8")
