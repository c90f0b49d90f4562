"""MIME bundles: each result as data for machines, as HTML for people, as text for terminals and diffs."""

from __future__ import annotations

from html import escape
from typing import Any

from skillnb.codec import plain
from skillnb.rules.spending import told_use
from skillnb.terms.action import Refusal
from skillnb.terms.gate import GateResult
from skillnb.terms.outcome import Outcome, Path, Verdict
from skillnb.terms.record import FallbackReport, GuidedReport, RepairReport, StepResult

__all__ = ["fallback_bundle", "gate_bundle", "mime", "repair_bundle", "step_bundle", "with_picture"]

_GREEN, _RED, _AMBER = "#1a7f37", "#cf222e", "#9a6700"
_VERDICT_COLOUR = {Verdict.PASSED: _GREEN, Verdict.FAILED: _RED, Verdict.UNKNOWN: _AMBER}
_OUTCOME_COLOUR = {
    Outcome.PASSED: _GREEN,
    Outcome.FAILED: _RED,
    Outcome.UNVERIFIED: _AMBER,
    Outcome.ABORTED: _AMBER,
}
_MARK = {Verdict.PASSED: "✓", Verdict.FAILED: "✗", Verdict.UNKNOWN: "?"}


def mime(kind: str) -> str:
    return f"application/vnd.skillnb.{kind}.v1+json"


def _bundle(kind: str, value: object, html: str, text: str) -> dict[str, Any]:
    return {mime(kind): plain(value), "text/html": html, "text/plain": text}


def _badge(word: str, colour: str) -> str:
    return f'<b style="color:{colour}">{escape(word)}</b>'


def gate_bundle(result: GateResult) -> dict[str, Any]:
    held = result.verdict is Verdict.PASSED
    wait = f" · {result.seconds:.2f} s" if result.seconds >= 0.1 else ""
    text = f"{_MARK[result.verdict]} {result.moment} gate {result.gate.expression}: {result.verdict}"
    html = (
        f"<div>{_badge(_MARK[result.verdict] + ' ' + result.verdict, _VERDICT_COLOUR[result.verdict])} "
        f"{escape(result.moment)} gate <code>{escape(result.gate.expression)}</code>{wait}"
    )
    if held:
        html += f' <span style="opacity:.7">{escape(result.actual)}</span>'
    else:
        text += f"; expected {result.expected}; saw {result.actual}"
        html += f"<br>expected {escape(result.expected)}<br>saw {escape(result.actual)}"
    return _bundle("gate", result, html + "</div>", text)


def _refused_rows(refused: tuple[Refusal, ...]) -> str:
    rows = "".join(
        f"<tr><td>{escape(item.role)}</td><td>{escape(item.name)}</td><td>{item.score:.2f}</td>"
        f"<td>{escape(item.reason)}</td></tr>"
        for item in refused
    )
    head = "<tr><th>role</th><th>name</th><th>closeness</th><th>why not</th></tr>"
    return f"<table>{head}{rows}</table>" if rows else ""


def repair_bundle(report: RepairReport) -> dict[str, Any]:
    proposal = report.proposal
    if proposal is None:
        text = f"repair: nothing proposed: {report.reason}"
        html = f"<div>{_badge('repair abstained', _AMBER)} {escape(report.reason)}"
    else:
        text = f"repair: {proposal.old} -> {proposal.new} ({proposal.target.how}): {report.reason}"
        html = (
            f"<div>{_badge('repair', _VERDICT_COLOUR[report.verdict])} {escape(report.reason)}"
            f"<br><code>{escape(proposal.old)}</code><br>→ <code>{escape(proposal.new)}</code> "
            f"<span style='opacity:.7'>{escape(proposal.target.how)}</span>"
        )
    if report.error_name:
        text += f"\nfirst error: {report.error_name}: {report.error}"
        html += f"<details><summary>first error: {escape(report.error_name)}</summary>"
        html += f"<pre>{escape(report.error)}</pre></details>"
    refused = report.refused or (proposal.refused if proposal else ())
    return _bundle("repair", report, html + _refused_rows(refused) + "</div>", text)


def _guided_html(report: GuidedReport) -> str:
    lines = "".join(
        f"<li>{'✓' if attempt.done else '✗'} {escape(attempt.sentence)} "
        f"<span style='opacity:.7'>{escape(attempt.reason)}</span>{_refused_rows(attempt.refused)}</li>"
        for attempt in report.attempts
    )
    head = f"{_badge(report.way, _VERDICT_COLOUR[report.verdict])} {escape(report.reason)}"
    asked = told_use(report.use)
    head += f"<br><span style='opacity:.7'>model {escape(asked)}</span>" if asked else ""
    return f"<div>{head}<ol>{lines}</ol></div>" if lines else f"<div>{head}</div>"


def fallback_bundle(report: FallbackReport) -> dict[str, Any]:
    text = f"fallback of {report.step}: {report.reason}"
    for guided in report.guided:
        asked = told_use(guided.use)
        text += f"\n  {guided.way}: {guided.reason}" + (f"  (model {asked})" if asked else "")
        for attempt in guided.attempts:
            text += f"\n    {'✓' if attempt.done else '✗'} {attempt.sentence}  [{attempt.reason}]"
    html = f"<div>{escape(report.reason)}</div>" + "".join(_guided_html(guided) for guided in report.guided)
    return _bundle("fallback", report, html, text)


def step_bundle(result: StepResult) -> dict[str, Any]:
    path = f" · {result.path}" if result.path else ""
    text = f"step {result.step}: {result.outcome}{path} · {result.seconds:.2f} s"
    colour = _OUTCOME_COLOUR[result.outcome]
    if result.outcome is Outcome.PASSED and result.path not in {Path.CODE, Path.SKIPPED}:
        colour = _AMBER
    html = f"<div>step <b>{escape(result.step)}</b>: {_badge(result.outcome + path, colour)} · {result.seconds:.2f} s"
    if result.failure or result.outcome is not Outcome.PASSED or result.path is Path.SKIPPED:
        reason = (f"[{result.failure}] " if result.failure else "") + result.reason
        text += f" · {reason}"
        html += f"<br>{escape(reason)}"
    if result.evidence.url:
        html += f"<br><span style='opacity:.7'>{escape(result.evidence.url)}</span>"
    return _bundle("step", result, html + "</div>", text)


def with_picture(bundle: dict[str, Any], thumbnail: str, blob: str) -> dict[str, Any]:
    """``bundle`` with a picture in its HTML: a JPEG in base64 that leads to the full one (a path from the notebook).

    Added after masking: a picture's base64 is no text to look for secrets in.
    """
    shown = f'<img alt="the page after the step" title="full picture" src="data:image/jpeg;base64,{thumbnail}">'
    return {**bundle, "text/html": f'{bundle["text/html"]}<a href="{escape(blob, quote=True)}">{shown}</a>'}
