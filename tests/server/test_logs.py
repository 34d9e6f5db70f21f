"""There is one log, of lines of JSON, and no answers or secrets in it."""

import io
import json
import logging

from spancrew.server.logs import make_log, one_log


def fail(answer: str) -> None:
    """Fail with an answer in the message and in a variable."""
    raise ValueError(f"cannot use {answer}")


def test_what_python_logs_is_a_line_of_json_with_frames_and_no_values() -> None:
    """Also of libraries that print a traceback, values and all."""
    stream = io.StringIO()
    with one_log(make_log(stream)):
        for name in ("spancrew.desk", "asyncio", "uvicorn.error"):
            try:
                fail("the answer")
            except ValueError:
                logging.getLogger(name).exception("a work on %s failed", "names")
    logging.getLogger("spancrew.desk").info("afterwards")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]

    assert [line["logger"] for line in lines] == ["spancrew.desk", "asyncio", "uvicorn.error"]
    for line in lines:
        assert (line["event"], line["level"]) == ("a work on names failed", "error")
        assert line["problem"] == "ValueError"
        assert line["where"][-1].endswith(" fail")
    assert "the answer" not in stream.getvalue()
