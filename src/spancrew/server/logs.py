"""What those see who run the server: structured logs, and figures for Prometheus."""

import logging
import math
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from spancrew.server.alerts.rules import AlertKey, MachineFigures

Log = structlog.typing.FilteringBoundLogger


def make_log(stream: TextIO | None = None) -> Log:
    """Return a log that writes to a stream, else to standard error."""
    log: Log = structlog.wrap_logger(
        structlog.PrintLogger(stream or sys.stderr),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(20),
        context_class=dict,
    )
    return log


_OTHERS = ("spancrew", "asyncio", "uvicorn.error")
"""Loggers of Python that write of the server: ours, and those of what it runs on."""


class StructuredHandler(logging.Handler):
    """Passes what is logged by Python's own means on to a structured log.

    Of an error only its kind and its frames: its message, and the values in a traceback, may hold
    answers or secrets.
    """

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record as one line."""
        error = record.exc_info[1] if record.exc_info else None
        known = {"problem": type(error).__name__, "where": frames(error)} if error else {}
        self._log.log(record.levelno, record.getMessage(), logger=record.name, **known)


@contextmanager
def one_log(log: Log) -> Iterator[None]:
    """Let everything that concerns the server go to one log for the time of a block."""
    handler = StructuredHandler(log)
    loggers = [logging.getLogger(name) for name in _OTHERS]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)


def frames(error: BaseException) -> list[str]:
    """Return the places that an error went through; its message may quote what it should not."""
    found = traceback.extract_tb(error.__traceback__)[-8:]
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in found]


def route_of(scope: dict[str, Any]) -> str:
    """Return the template of the route that a request took, never its parameters."""
    return str(getattr(scope.get("route"), "path", "(none)"))


_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters of this process, and gauges of campaigns that are set when somebody looks."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "spancrew_requests",
            "Requests by route, method and status",
            ["route", "method", "status"],
            registry=self.registry,
        )
        self.latency = Histogram(
            "spancrew_request_seconds",
            "Time from the first byte in to the last byte out",
            ["route"],
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.store_errors = Counter(
            "spancrew_store_errors",
            "Requests that failed because the store did not answer",
            registry=self.registry,
        )
        self.deliveries = Counter(
            "spancrew_webhook_deliveries",
            "Attempts to deliver events by outcome",
            ["outcome"],
            registry=self.registry,
        )
        self._events = Gauge(
            "spancrew_events",
            "Events in the journal by kind",
            ["campaign", "kind"],
            registry=self.registry,
        )
        self._alerts = Gauge(
            "spancrew_alert",
            "Alerts that are raised; no campaign: of the server as a whole",
            ["kind", "campaign"],
            registry=self.registry,
        )
        self._machine = [
            Gauge(f"spancrew_{name}", text, registry=self.registry)
            for name, text in _MACHINE.items()
        ]
        self._gauges = {
            name: Gauge(f"spancrew_{name}", text, ["campaign"], registry=self.registry)
            for name, text in _GAUGES.items()
        }

    def show_campaign(
        self, campaign: str, figures: Mapping[str, float], kinds: Mapping[str, int]
    ) -> None:
        """Set the gauges of a campaign."""
        for name, value in figures.items():
            self._gauges[name].labels(campaign).set(value)
        for kind, count in kinds.items():
            self._events.labels(campaign, kind).set(count)

    def show_server(self, machine: MachineFigures, alerts: Iterable[AlertKey]) -> None:
        """Set the gauges of disk, backup and alerts."""
        figures = (machine.disk_free, machine.disk_size, machine.saved_at)
        for gauge, value in zip(self._machine, figures, strict=True):
            gauge.set(math.nan if value is None else value)
        self._alerts.clear()
        for kind, campaign in alerts:
            self._alerts.labels(kind, campaign).set(1)

    def forget_campaigns(self) -> None:
        """Drop the gauges of all campaigns, so that deleted ones are not shown for ever."""
        for gauge in (*self._gauges.values(), self._events):
            gauge.clear()

    def page(self) -> bytes:
        """Return everything as Prometheus reads it."""
        return generate_latest(self.registry)


_MACHINE = {
    "disk_free_bytes": "Free bytes on the disk of an SQLite store",
    "disk_size_bytes": "Size of the disk of an SQLite store",
    "backup_timestamp_seconds": "When the last backup was made; before it, the oldest campaign",
}
_GAUGES = {
    "sentences": "Sentences of the campaign",
    "waiting_sentences": "Sentences that nobody has been asked about yet",
    "workers": "Workers who have joined",
    "answers": "Answers that were given",
    "budget": "Money that may be spent; infinite without a limit",
    "open_leases": "Assignments that are out",
    "expert_queue": "Sentences that wait for an expert",
    "settled_sentences": "Sentences with final labels",
    "spent": "Money spent",
    "committed": "Money put aside",
    "journal_version": "Events in the journal",
}
