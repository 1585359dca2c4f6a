"""Markdown tables of a speed result: what building took, and latencies by number of askers."""

from search_agent.bench.speed.result import Build, Latency, Opening, SpeedResult


def speed_tables(result: SpeedResult) -> str:
    """Builds, then latencies by leg and number of terms, sizes side by side."""
    lines = _builds(result)
    for n_threads in (1, 2):
        lines += ["", *_latencies(result, n_threads)]
    for time in result.analysis:
        lines += [] if time.n_terms != result.analysis[0].n_terms else [""]
        lines.append(
            f"analysing the text of a question of {time.n_terms} terms:"
            f" {time.p50_ms:.3f} ms (p95 {time.p95_ms:.3f})"
        )
    lines += [
        f"skipped at {skipped.n_chunks} chunks: {skipped.system or 'all'}: {skipped.why}"
        for skipped in result.skipped
    ]
    return "\n".join(lines) + "\n"


def _builds(result: SpeedResult) -> list[str]:
    opened = {(row.n_chunks, row.system, row.leg): row for row in result.openings}
    head = "chunks | system | leg | build, s | peak, MB | private, MB | disk, MB | open, ms"
    lines = [f"| {head} |", "|---:|---|---|---:|---:|---:|---:|---:|"]
    return lines + [
        _build_row(build, opened.get((build.n_chunks, build.system, build.leg)))
        for build in result.builds
    ]


def _build_row(build: Build, opened: Opening | None) -> str:
    cells = (
        str(build.n_chunks),
        build.system,
        build.leg,
        f"{build.seconds:.2f}",
        _mb(build.peak_mb),
        _mb(build.private_mb),
        f"{build.bytes / 1e6:.1f}",
        "–" if opened is None else f"{opened.open_ms:.1f}",
    )
    return f"| {' | '.join(cells)} |"


def _mb(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _latencies(result: SpeedResult, n_threads: int) -> list[str]:
    rows = [row for row in result.latencies if row.n_threads == n_threads]
    found = {(row.leg, row.n_terms, row.system, row.n_chunks): row for row in rows}
    columns = " | ".join(f"{size} chunks" for size in result.sizes)
    askers = "one asker" if n_threads == 1 else f"{n_threads} askers"
    lines = [
        f"p50 / p95 in ms, k = {result.k}, {askers}; × is the median over ours",
        "",
        f"| leg | terms | system | {columns} |",
        "|---|---:|---|" + "---:|" * len(result.sizes),
    ]
    for leg, n_terms, system in dict.fromkeys(key[:3] for key in sorted(found)):
        cells = [found.get((leg, n_terms, system, size)) for size in result.sizes]
        lines.append(f"| {leg} | {n_terms} | {system} | {' | '.join(map(_cell, cells))} |")
    return lines


def _cell(row: Latency | None) -> str:
    if row is None:
        return "–"
    times = "" if row.system == "ours" or row.times_ours is None else f" (×{row.times_ours:.2f})"
    return f"{row.p50_ms:.3f} / {row.p95_ms:.3f}{times}"
