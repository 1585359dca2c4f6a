"""``deepsearch bench``: known questions asked and measured, and what is made of the results."""

import typer

from search_agent.cli.bench_answers_command import answers_command
from search_agent.cli.bench_chunks_command import chunks_command
from search_agent.cli.bench_citations_command import citations_command
from search_agent.cli.bench_compare_command import compare_command
from search_agent.cli.bench_ingest_command import ingest_speed_command
from search_agent.cli.bench_plot_command import plot_command
from search_agent.cli.bench_retrieval_command import retrieval_command
from search_agent.cli.bench_speed_command import speed_command
from search_agent.cli.bench_table_command import table_command
from search_agent.cli.bench_tune_command import tune_command

bench_app = typer.Typer(
    name="bench",
    help="Measure answers and rankings on known questions.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
bench_app.command("answers")(answers_command)
bench_app.command("table")(table_command)
bench_app.command("compare")(compare_command)
bench_app.command("plot")(plot_command)
bench_app.command("citations")(citations_command)
bench_app.command("retrieval")(retrieval_command)
bench_app.command("tune")(tune_command)
bench_app.command("chunks")(chunks_command)
bench_app.command("ingest")(ingest_speed_command)
bench_app.command("speed")(speed_command)
