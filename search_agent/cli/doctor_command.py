"""``deepsearch doctor``: what works here, what does not, and what to do about it."""

from typing import TYPE_CHECKING, Annotated

import typer

from search_agent.cli.exits import DONE, USER_ERROR
from search_agent.cli.json_output import print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    DEFAULT_MODELS_FOLDER,
    DEFAULT_PROFILE,
    BuildFolder,
    JsonFlag,
    ModelOption,
    ModelsFolder,
    ProfileOption,
    QuietFlag,
)
from search_agent.cli.progress import open_progress
from search_agent.cli.settings import search_config

if TYPE_CHECKING:
    from search_agent.cli.doctor_report import DoctorReport


def doctor_command(
    *,
    model: ModelOption = "",
    profile: ProfileOption = DEFAULT_PROFILE,
    evaluate: Annotated[
        bool,
        typer.Option("--evaluate/--no-evaluate", help="Run the model once, in a child process."),
    ] = True,
    models_folder: ModelsFolder = DEFAULT_MODELS_FOLDER,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Check the installation, the models and the indexes, and predict the time of a question.

    Exit code 2 when something must be put right.

    \b
    Examples:
      deepsearch doctor
      deepsearch doctor --model smollm2-135m --json
    """  # noqa: D301
    from search_agent.cli.doctor_report import examine
    from search_agent.model.registry import DEFAULT_MODEL

    config = search_config(profile, model=model)
    with open_progress(quiet=quiet) as progress:
        progress.line("hashing models and evaluating once; this takes up to a minute")
        report = examine(
            config,
            model=config.llm.model_path or DEFAULT_MODEL,
            build_folder=build_folder,
            models_folder=models_folder,
            evaluate=evaluate,
        )
    if as_json:
        print_json(report)
    else:
        typer.echo(render_doctor(report), nl=False)
    return USER_ERROR if report.problems else DONE


def render_doctor(report: "DoctorReport") -> str:
    """The report as lines, problems last."""
    features = " ".join(name for name, is_there in report.cpu_features.items() if is_there)
    missing = sum(found is None for found in report.packages.values())
    lines = [
        f"python      {report.python}",
        f"packages    {len(report.packages) - missing} of {len(report.packages)} installed",
        f"cpu         {features or 'unknown'}",
        f"llama.cpp   {report.llama_system}",
        f"disk        {report.disk_free_bytes / 2**30:.1f} GiB free",
    ]
    for check in report.models:
        state = "ok" if check.ok else "DAMAGED"
        lines.append(f"model       {check.name} ({check.kind}) {state} {check.sha256[:16]}")
    if report.evaluation is not None and report.evaluation.works:
        speed = report.evaluation
        lines.append(
            f"speed       {speed.model}: {speed.prompt_tokens_per_s} prompt and"
            f" {speed.generated_tokens_per_s} generated tokens/s; about"
            f" {speed.predicted_seconds_per_question} s for a two-hop question"
        )
    for build in report.builds:
        unread = ", ".join(build.unread_languages)
        lines.append(
            f"corpus      {build.corpus}: {build.documents} documents, index {build.index},"
            f" {build.runs} runs" + (f"; no encoder of it reads {unread}" if unread else "")
        )
    lines += [f"PROBLEM     {problem}" for problem in report.problems] or ["no problems found"]
    return "\n".join(lines) + "\n"
