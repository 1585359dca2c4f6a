"""The language model that a configuration names: loaded, or only identified."""

from pathlib import Path

from search_agent.config import SearchConfig
from search_agent.final_result import ModelIdentity, Strategy
from search_agent.model.gguf_file import file_sha256
from search_agent.model.protocol import Model
from search_agent.model.registry import DEFAULT_MODEL, load_model, locked


def load_configured_model(config: SearchConfig, strategy: Strategy) -> Model:
    """The model with its context, the strategy's system messages already evaluated.

    Raises:
        ModelUnavailable: not there, or no language model.
        ModelHashMismatch: other bytes than were recorded.
    """
    from search_agent.ask import role_prefixes

    model = load_model(
        config.llm.model_path or DEFAULT_MODEL,
        n_ctx=config.llm.n_ctx,
        n_threads=config.llm.n_threads or None,
        n_batch=config.llm.n_batch,
    )
    model.warm([message.content for message in role_prefixes(config, strategy)])
    return model


def identify_configured_model(config: SearchConfig) -> ModelIdentity:
    """Name and hash as ``load_configured_model`` would have them, without loading.

    Raises:
        ModelUnavailable: not there.
    """
    name_or_path = config.llm.model_path or DEFAULT_MODEL
    path = Path(name_or_path)
    if path.is_file():
        return ModelIdentity(name=path.stem, sha256=file_sha256(path))
    entry = locked(name_or_path)
    return ModelIdentity(name=entry.name, sha256=entry.sha256)
