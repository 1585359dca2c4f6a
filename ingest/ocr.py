"""OCR: the tesseract program, where it is installed, run on one picture at a time.

The program is a process of its own: it is killed when a page takes too long, and damaged pictures
can harm nothing else.
"""

import contextlib
import functools
import hashlib
import math
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed

PROGRAM = "tesseract"
NEEDS_OCR = "no text, needs OCR"
_ISO_LANGUAGES = {
    "ar": "ara", "bg": "bul", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng",
    "es": "spa", "et": "est", "fa": "fas", "fi": "fin", "fr": "fra", "he": "heb", "hi": "hin",
    "hr": "hrv", "hu": "hun", "it": "ita", "ja": "jpn", "ko": "kor", "lt": "lit", "lv": "lav",
    "nl": "nld", "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk",
    "sl": "slv", "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr", "vi": "vie",
    "zh": "chi_sim",
}  # fmt: skip
_DEFAULT_LANGUAGE = "eng"
_NO_LANGUAGES = frozenset({"osd", "equ"})
_ANSWER_S = 10.0
"""For telling its version and languages."""
_MEMORY_BYTES = 3 * 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrEngine:
    """An installed tesseract."""

    program: str
    version: str
    languages: frozenset[str]

    @property
    def name(self) -> str:
        """Names everything of it that shapes what it reads."""
        languages = "+".join(sorted(self.languages)).encode()
        return f"{PROGRAM}-{self.version}-{hashlib.sha256(languages).hexdigest()[:8]}"


def find_engine() -> OcrEngine | None:
    """The tesseract on the path of programs; None where there is none that answers."""
    program = shutil.which(PROGRAM)
    return _asked_engine(program) if program else None


@functools.cache
def _asked_engine(program: str) -> OcrEngine | None:
    try:
        version = _answer(program, "--version").split()[1]
        languages = _answer(program, "--list-langs").splitlines()[1:]
    except (OSError, subprocess.SubprocessError, IndexError):
        return None
    found = frozenset(language.strip() for language in languages) - _NO_LANGUAGES
    return OcrEngine(program=program, version=version.lstrip("v"), languages=found)


def _answer(program: str, question: str) -> str:
    asked = subprocess.run(
        [program, question], capture_output=True, text=True, check=True, timeout=_ANSWER_S
    )
    return asked.stdout


def chosen_languages(engine: OcrEngine, wanted: Sequence[str]) -> list[str]:
    """Tesseract's codes of the wanted languages it has; English if none are named.

    Raises:
        ExtractionFailed: it has none of them.
    """
    codes = [_ISO_LANGUAGES.get(language, language) for language in wanted] or [_DEFAULT_LANGUAGE]
    found = [code for code in dict.fromkeys(codes) if code in engine.languages]
    if not found:
        message = (
            f"{NEEDS_OCR} in {', '.join(codes)}; {PROGRAM} has"
            f" {', '.join(sorted(engine.languages)) or 'no language'}: install its data"
        )
        raise ExtractionFailed(message, state="needs_ocr")
    return found


def last_begin(config: IngestConfig) -> float:
    """When, on the monotonic clock, no further page of a file is begun.

    What is read by then is kept; the limit for the whole file would lose it.
    """
    whole = config.max_reader_wall_s
    return time.monotonic() + max(whole - 2 * config.ocr_page_seconds, whole / 2)


def recognise(
    picture: bytes, config: IngestConfig, *, until: float = math.inf, dpi: int = 0, page: int = 0
) -> str:
    """What tesseract reads in a picture, as its table of words with their boxes (TSV).

    ``dpi`` 0: as the picture says. ``page`` counts from 0; only TIFF has more than one. ``until``
    is that of ``last_begin``.

    Raises:
        ExtractionFailed: ``needs_ocr`` without the program or the language, ``timeout``, or
            ``corrupt`` where the program cannot read the picture.
    """
    engine = find_engine() if config.ocr_page_seconds else None
    if engine is None:
        raise ExtractionFailed(NEEDS_OCR, state="needs_ocr")
    if time.monotonic() > until:
        message = "no time left for OCR; max_reader_wall_s says how long a file may take"
        raise ExtractionFailed(message, state="timeout")
    languages = "+".join(chosen_languages(engine, config.ocr_languages))
    command = [engine.program, "stdin", "stdout", "-l", languages]
    command += ["--dpi", str(dpi)] if dpi else []
    command += ["-c", f"tessedit_page_number={page}", "tsv"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # One thread is nearly as fast as four, and the same on every machine.
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        start_new_session=True,
    )
    try:
        if sys.platform == "linux":
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
                # Should this process be killed, the program ends by itself.
                seconds = config.ocr_page_seconds
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
        output, errors = process.communicate(picture, timeout=config.ocr_page_seconds)
    except subprocess.TimeoutExpired as error:
        message = f"OCR stopped after {config.ocr_page_seconds} s"
        raise ExtractionFailed(message, state="timeout") from error
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode:
        lines = errors.decode("utf-8", "replace").strip().splitlines()
        message = f"{PROGRAM} cannot read the picture: {lines[-1] if lines else 'no reason given'}"
        raise ExtractionFailed(message)
    return output.decode("utf-8", "replace")
