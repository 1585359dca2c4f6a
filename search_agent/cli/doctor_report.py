"""DoctorReport: what this machine, this installation and these folders can do."""

import platform
import shutil
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from corpora.errors import ResearchError
from corpora.manifest import read_manifest
from search_agent.cli.build_layout import CorpusBuild, builds_in, run_dirs
from search_agent.cli.encoders import encoder_of_name
from search_agent.config import SearchConfig
from search_agent.result_part import ResultPart

CPU_FEATURES = ("avx2", "fma", "f16c", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile")
"""Those that llama.cpp is built for or, like AMX, must not be built for blindly."""
LEAST_FREE_BYTES = 2 * 2**30
"""Below this a build or a model may fill the disk."""
TYPICAL_ACTIONS = 2
"""Actions that a two-hop question takes; each asks the model until its calls are half spent."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelCheck(_Part):
    """One model of models.toml and whether its bytes are the recorded ones."""

    name: str
    kind: str
    sha256: str
    ok: bool
    reason: str = ""


class EvaluationCheck(_Part):
    """One real evaluation in a child process."""

    model: str
    works: bool
    reason: str = ""
    prompt_tokens_per_s: float | None = None
    generated_tokens_per_s: float | None = None
    predicted_seconds_per_question: float | None = None


class BuildCheck(_Part):
    """One corpus under the build folder."""

    corpus: str
    documents: int | None
    index: str
    """``fresh``, ``stale``, ``absent`` or what else is wrong with it."""
    runs: int
    unread_languages: tuple[str, ...] = ()
    """Languages of the corpus that no encoder of the index reads; their words alone are found."""


class DoctorReport(ResultPart):
    """All findings; ``problems`` says in words what must be put right."""

    schema_: int = Field(1, alias="schema")
    python: str
    packages: dict[str, str | None]
    """Installed version of every requirement; None where it is missing."""
    llama_system: str
    """What the build of llama.cpp says about itself."""
    cpu_features: dict[str, bool]
    models: tuple[ModelCheck, ...]
    evaluation: EvaluationCheck | None
    disk_free_bytes: int
    builds: tuple[BuildCheck, ...]
    problems: tuple[str, ...]


def installed_packages() -> dict[str, str | None]:
    """Version of every run-time requirement of this distribution."""
    found: dict[str, str | None] = {}
    for requirement in requires("deepsearch") or []:
        if "extra ==" in requirement:
            continue
        name = requirement.split(";")[0].split("=")[0].rstrip("<>!~ ")
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def cpu_features(cpuinfo: Path = Path("/proc/cpuinfo")) -> dict[str, bool]:
    """Which of the features that matter this CPU has; empty where the system does not say."""
    if not cpuinfo.is_file():
        return {}
    for line in cpuinfo.read_text(encoding="utf-8").splitlines():
        if line.startswith("flags"):
            flags = set(line.partition(":")[2].split())
            return {name: name in flags for name in CPU_FEATURES}
    return {}


def llama_system() -> str:
    """The build flags that llama.cpp was compiled with, as it prints them."""
    try:
        import llama_cpp
    except ImportError as error:
        return f"llama_cpp cannot be imported: {error}"
    return " ".join(llama_cpp.llama_print_system_info().decode().split())


def check_models(models_folder: Path) -> list[ModelCheck]:
    """Every model that is here, hashed again."""
    from search_agent.model.registry import read_lock, verify

    checks = []
    for name, entry in sorted(read_lock(models_folder).items()):
        reason = ""
        try:
            verify(name, models_folder)
        except ResearchError as error:
            reason = str(error)
        checks.append(
            ModelCheck(
                name=name, kind=entry.kind, sha256=entry.sha256, ok=not reason, reason=reason
            )
        )
    return checks


def check_evaluation(
    name_or_path: str, config: SearchConfig, models_folder: Path
) -> EvaluationCheck:
    """Load the model in a child process, evaluate once, and predict the time of a question."""
    from search_agent.model.probe import probe_in_child
    from search_agent.model.registry import locked

    try:
        path = Path(name_or_path)
        if not path.is_file():
            path = models_folder / locked(name_or_path, models_folder).path
    except ResearchError as error:
        return EvaluationCheck(model=name_or_path, works=False, reason=str(error))
    outcome = probe_in_child(path)
    if outcome.speed is None:
        return EvaluationCheck(model=name_or_path, works=False, reason=outcome.reason)
    prompt, generated = typical_tokens(config)
    seconds = outcome.speed.seconds_for(prompt_tokens=prompt, generated_tokens=generated)
    return EvaluationCheck(
        model=name_or_path,
        works=True,
        prompt_tokens_per_s=round(outcome.speed.prompt_tokens_per_s, 1),
        generated_tokens_per_s=round(outcome.speed.generated_tokens_per_s, 1),
        predicted_seconds_per_question=round(min(seconds, config.params.time_limit), 1),
    )


def typical_tokens(config: SearchConfig) -> tuple[int, int]:
    """(prompt tokens evaluated, tokens generated) of a two-hop question under this profile.

    Prefixes are reused, so a call evaluates what is new in it: a tool row, the reply before it and
    the turn's own lines (about 200). Half of the reply caps are used.
    """
    calls = TYPICAL_ACTIONS * max(1, config.creation.max_llm_calls_per_run // 2)
    reply = config.output_tokens("run") // 2
    prompt = 600 + calls * (config.tool_row_tokens + reply + 200)
    generated = (config.output_tokens("init") + config.output_tokens("find")) // 2 + calls * reply
    return prompt, generated


def check_build(build: CorpusBuild, models_folder: Path) -> BuildCheck:
    """What lies under one corpus, and whether its index is that of its documents."""
    documents: int | None = None
    state = "absent"
    unread: tuple[str, ...] = ()
    try:
        ingested = read_manifest(build.ingest)
        if ingested is not None:
            documents = ingested["counts"]["written"]
            state = _index_state(build, str(ingested["fingerprint"]), models_folder)
            unread = _unread_languages(build)
    except ResearchError as error:
        state = str(error)
    runs = sum(folder.parent == build.runs for folder in run_dirs(build.build_folder))
    return BuildCheck(
        corpus=build.name, documents=documents, index=state, runs=runs, unread_languages=unread
    )


def examine(
    config: SearchConfig, *, model: str, build_folder: Path, models_folder: Path, evaluate: bool
) -> DoctorReport:
    """All checks, and the problems they show in words."""
    packages = installed_packages()
    models = check_models(models_folder)
    evaluation = check_evaluation(model, config, models_folder) if evaluate else None
    free = shutil.disk_usage(build_folder if build_folder.is_dir() else Path.cwd()).free
    builds = [check_build(build, models_folder) for build in builds_in(build_folder)]
    problems = [
        f"package {name} is not installed" for name, found in packages.items() if found is None
    ]
    problems += [check.reason for check in models if not check.ok]
    if evaluation is not None and not evaluation.works:
        problems.append(evaluation.reason)
    if free < LEAST_FREE_BYTES:
        problems.append(f"only {free / 2**30:.1f} GiB are free; a model or an index may not fit")
    problems += [
        f"corpus {build.corpus!r}: index {build.index};"
        f" run `deepsearch index build --corpus {build.corpus}`"
        for build in builds
        if build.index != "fresh"
    ]
    return DoctorReport(
        python=f"{platform.python_version()} ({sys.implementation.name})",
        packages=packages,
        llama_system=llama_system(),
        cpu_features=cpu_features(),
        models=tuple(models),
        evaluation=evaluation,
        disk_free_bytes=free,
        builds=tuple(builds),
        problems=tuple(problems),
    )


def _unread_languages(build: CorpusBuild) -> tuple[str, ...]:
    from index.errors import IndexMissing
    from index.generations import Generations
    from index.manifest import load_index_manifest
    from index.unread import languages_of_corpus

    generations = Generations(build.index)
    try:
        manifest = load_index_manifest(generations.path(generations.current()))
    except IndexMissing:
        return ()
    read = {language for record in manifest.dense for language in record.languages}
    return tuple(name for name in languages_of_corpus(build.ingest) if name not in read)


def _index_state(build: CorpusBuild, ingest_fingerprint: str, models_folder: Path) -> str:
    from index.errors import IndexMissing
    from index.generations import Generations
    from index.manifest import load_index_manifest

    generations = Generations(build.index)
    try:
        manifest = load_index_manifest(generations.path(generations.current()))
    except IndexMissing:
        return "absent"
    if manifest.ingest_fingerprint != ingest_fingerprint:
        return "stale"
    for record in manifest.dense:
        if encoder_of_name(record.name, models_folder).sha256 != record.sha256:
            return f"built with another encoder of the name {record.name!r}"
    return "fresh"
