"""ingest_corpus: brings the store in step with a corpus folder, doing only the work that is new.

What should be in the store follows from the folder alone; each content is compared with what is
there and put right in a transaction of its own. So a run that was killed is continued by the next.
"""

import time
from contextlib import closing
from pathlib import Path

from corpora.card import CorpusCard
from corpora.encoder_card import EncoderCard
from ingest.assemble import Chunking
from ingest.config import IngestConfig
from ingest.errors import IngestError
from ingest.hook import hooked_parser
from ingest.job import JobSetup
from ingest.job_desk import JobDesk
from ingest.near_duplicates import near_duplicates
from ingest.reconcile import Reconciliation
from ingest.report import IngestReport
from ingest.scan import scan_corpus
from ingest.sidecar import card_with_sidecars
from ingest.stage import Progress, finish_stage, limits_changed, opened_stage


def ingest_corpus(
    card: CorpusCard,
    folder: Path,
    *,
    encoder: EncoderCard,
    config: IngestConfig | None = None,
    progress: Progress | None = None,
) -> IngestReport:
    """Read the new and changed files of ``card.root`` into the store in ``folder``.

    Raises:
        IngestBusy: another ingest runs in this folder.
        IngestError: nothing to ingest, no text in any file, a sidecar cannot be read, the folder
            holds another corpus, the encoder does not fit the configuration, or the disk is full.
        WorkersUnusable: no worker process can be started.
    """
    started = time.monotonic()
    config = config or IngestConfig()
    card = card_with_sidecars(card)
    scanned = scan_corpus(card, max_file_bytes=config.max_file_bytes)
    if not scanned:
        message = f"no file in {str(card.root)!r} that the corpus includes; nothing was changed"
        raise IngestError(message)
    with opened_stage(folder, root=card.root, corpus=card.name) as writer:
        chunking = Chunking(encoder, config)
        if limits_changed(folder, config):
            config = config.model_copy(update={"retry_problems": True})
        if config.parser:
            hooked_parser(config.parser)
        desk = JobDesk(JobSetup(card=card, encoder=encoder, config=config, folder=folder))
        with closing(desk):
            reconciliation = Reconciliation(
                card,
                folder,
                writer=writer,
                desk=desk,
                chunking=chunking,
                config=config,
                progress=progress,
            )
            reconciliation.run(scanned, started)
        return finish_stage(
            folder,
            writer,
            corpus=card.name,
            root=card.root,
            encoder=encoder,
            config=config,
            chunking=chunking,
            changes=reconciliation.changes.counts,
            duplicates=near_duplicates(writer, least=config.near_duplicates),
            seconds=time.monotonic() - started,
            languages=card.languages,
            cross_lingual=card.cross_lingual,
            search=card.search,
        )
