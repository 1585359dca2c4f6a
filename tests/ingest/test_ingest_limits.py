"""Limits of machine and encoder: a full disk, and a real tokenizer's count."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from corpora.encoder_card import EncoderCard
from ingest import IngestConfig, IngestError
from ingest.assemble import Chunking
from tests.ingest.workbench import Workbench


def word_piece(folder: Path, words: list[str]) -> EncoderCard:
    """An encoder with a tokenizer that knows ``words`` and single letters, cut at 8 and padded."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    vocabulary = ["[PAD]", "[UNK]", *letters, *(f"##{c}" for c in letters), *".,>|", *words]
    tokenizer = Tokenizer(
        models.WordPiece({word: n for n, word in enumerate(vocabulary)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=8)
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    return EncoderCard(
        name="tiny", folder=folder, sha256="0" * 64, dimension=64, max_tokens=64, languages=("en",)
    )


def test_chunks_fit_as_the_encoders_own_tokenizer_counts(tmp_path: Path) -> None:
    card = word_piece(tmp_path / "encoder", ["pump", "runs"])
    source = tmp_path / "corpus"
    source.mkdir()
    words = "The Pump runs unforeseeably. 水泵运行。 " * 30
    (source / "a.md").write_text(f"# Pump\n\n{words}\n\n{'x9' * 400}\n", encoding="utf-8")
    bench = Workbench(source=source, build=tmp_path / "build", encoder=card)

    bench.ingest()

    tokenizer = Tokenizer.from_file(str(card.tokenizer_file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    store = bench.store()
    text = bench.document("a.md").text
    chunks = list(store.chunks())
    counts = [
        len(tokenizer.encode(f"{chunk.header}\n{text[chunk.start : chunk.end]}").ids)
        for chunk in chunks
    ]
    assert len(counts) > 3
    assert max(counts) + 2 <= card.max_tokens
    # A piece torn off without a blank is counted one token dearer than it may be.
    assert all(0 <= chunk.n_tokens - n <= 1 for chunk, n in zip(chunks, counts, strict=True))


def test_an_encoder_without_a_tokenizer_is_told_before_anything_is_read(tmp_path: Path) -> None:
    card = EncoderCard(name="none", folder=tmp_path, sha256="", dimension=1, max_tokens=64)

    with pytest.raises(IngestError, match=r"encoder 'none' has no tokenizer\.json"):
        Chunking(card, IngestConfig())


def test_a_full_disk_is_one_clear_line_and_what_was_stored_stays(bench: Workbench) -> None:
    bench.write("a.txt", "Alpha.")
    first = bench.ingest()
    for n in range(8):
        bench.write(f"big{n}.txt", f"Number {n} says very much. " * 3_000)
    script = f"""
        import resource
        from pathlib import Path
        from corpora.card import CorpusCard
        from corpora.encoder_card import EncoderCard
        from ingest import IngestError, ingest_corpus
        resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))
        card = CorpusCard(name="bench", root=Path({str(bench.source)!r}))
        encoder = EncoderCard(kind="hash", name="hash", folder=Path(), sha256="0" * 64,
                              dimension=64, max_tokens=256)
        try:
            ingest_corpus(card, Path({str(bench.build)!r}), encoder=encoder)
        except IngestError as error:
            print(error)
    """

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True
    )

    assert done.stdout.startswith("no space left for ")
    assert done.stdout.count("\n") == 1
    assert bench.document("a.txt").text == "Alpha."
    assert bench.ingest().chunks > first.chunks
