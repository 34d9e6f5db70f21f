"""`spancrew certify`: how good labels are, by the gold of a random sample."""

import json as json_
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spancrew.cli._certify_sources import CampaignToCertify, DataToCertify, Source, is_campaign
from spancrew.cli._connection import Connection
from spancrew.cli._options import DatasetOptions, Force, Json, refuse_existing
from spancrew.cli._printing import print_result, table, write_text
from spancrew.cli._progress import progress_bar
from spancrew.errors import FormatError, Place, SpancrewError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spancrew.certificates import Certificate, Provenance


def certify(
    data: Annotated[
        str,
        typer.Argument(
            help="A file, a folder, a bundled data set (demo, demo-zh), or a campaign of the "
            "server by its id or name."
        ),
    ],
    method: Annotated[
        str | None,
        typer.Option(
            help="How answers are joined: auto (default), mv, span-vote, ds, span-ds, bsc."
        ),
    ] = None,
    level: Annotated[float, typer.Option(help="The confidence of the intervals.")] = 0.95,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Lower bounds that hold for any number of audits, at any look."
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write the certificate to this .json or .html file."),
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(help="Check this certificate (.json) against the data; make no new one."),
    ] = None,
    *,
    reading: DatasetOptions,
    connection: Connection,
    force: Force = False,
    json: Json = False,
) -> None:
    """Certify precision, recall and F1 of the crowd's labels, with intervals.

    Of a campaign, these are the labels that 'campaign export' gives, by the audits of its plan. Of
    data, answers are joined without a look at gold. The sentences that have gold are the audit:
    they must be a random sample of all, labelled by an expert who did not see the answers. With
    gold on every sentence, the figures are exact.

    Example: [bold]spancrew certify demo --out certificate.html[/bold]
    """
    if is_campaign(data, connection):
        source: Source = CampaignToCertify(data, connection)
    else:
        source = DataToCertify(data, method, reading)
    if verify is not None:
        _verify(source, verify, json=json)
        return
    writer = _writer(out, force=force)
    with progress_bar(f"Reading {data}") as progress:
        made, provenance = source.certified(level, strict=strict, progress=progress)
        write_text(out, lambda: writer(made, provenance))
    last = "Keep it with --out certificate.json, or as a page with --out certificate.html."
    print_result(
        lambda: _record(made, provenance),
        _views(made, source.holds_if),
        [last if out is None else f"The certificate is in {out}."],
        json=json,
    )


def _writer(out: Path | None, *, force: bool) -> "Callable[[Certificate, Provenance], str]":
    """Return what makes the text of the file; refuse a name that says nothing of its kind."""
    from spancrew.report import certificate_page

    if out is not None:
        refuse_existing(out, force=force)
    if out is None or out.suffix == ".json":
        return lambda made, provenance: _text(_record(made, provenance))
    if out.suffix == ".html":
        return certificate_page
    raise FormatError.expected(Place(str(out)), f"the name {out.name!r}", ".json or .html")


def _text(record: Any) -> str:
    return json_.dumps(record, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _record(made: "Certificate", provenance: "Provenance") -> dict[str, Any]:
    from spancrew.certificates import certificate_record

    return certificate_record(made, provenance)


def _views(made: "Certificate", holds_if: str) -> "Iterator[RenderableType]":
    from rich.console import Group
    from rich.text import Text

    from spancrew.report import (
        LABEL_HEAD,
        QUALITY_HEAD,
        certificate_headline,
        certificate_sentences,
        label_rows,
        quality_rows,
    )

    yield Group(
        Text(certificate_headline(made), style="bold"), *map(Text, certificate_sentences(made))
    )
    yield table("Exact spans", QUALITY_HEAD, quality_rows(made))
    yield table("By label", LABEL_HEAD, label_rows(made))
    if holds_if and not made.is_complete:
        yield Text(holds_if)


def _verify(source: "Source", file: Path, *, json: bool) -> None:
    """Compute a certificate again and say where it is wrong, as an error."""
    wrong = source.differences(_read(file))
    if wrong and not json:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise SpancrewError(
            f"{file}: this is not the certificate of {source.name}: {wrong[0]}{more}"
        )
    print_result(
        lambda: {"verified": not wrong, "differences": wrong},
        (),
        [f"{file} is the certificate of {source.name}: labels, audits and figures are the same."],
        json=json,
    )
    if wrong:
        raise typer.Exit(2)


def _read(file: Path) -> dict[str, Any]:
    try:
        record = json_.loads(file.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FormatError(Place(str(file)), f"this is no JSON ({error})") from None
    if not isinstance(record, dict) or not isinstance(record.get("versions"), dict):
        raise FormatError.expected(Place(str(file)), "something else", "a certificate of spancrew")
    return record
