"""Every example, every block of the README and every docstring with code runs as it stands."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
import urllib.request
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.error import HTTPError, URLError

import legwork
import pytest
from legwork import Legwork

from test_webhooks import BODY, SECRET, sign

Hurry = Callable[[str], AbstractContextManager[None]]

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
BLOCKS = re.findall(r"^( *)```python\n(.*?)^ *```", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)
EXPECTED = {
    "consensus": r"they say .+, .+, .+\n(?:the result is|they do not agree)",
    "errors_and_retries": r"order 17 is task_\w+\norder 17 is task_\w+\nonce\nadd \d+ cents first\nbudget_cents ",
    "first_task": r"task_\w+: 500 cents are locked\nSim \w+ says True: .+\nsaved proofs/task_\w+-1\.jpg\n.*\n"
    r"the worker gets 410 cents$",
    "follow_events": r"task\.accepted\n.*task\.proof_submitted\n.*task\.completed$",
    "judge": r"paid 800 cents$",
    "many_at_once": r"the bakery is open\nthe pharmacy is open\nthe bookshop is open$",
    "pages": r"completed tasks cost 0 cents\n",
}


def run(code: list[str], folder: Path, api_key: str, base_url: str) -> str:
    env = {**os.environ, "LEGWORK_API_KEY": api_key, "LEGWORK_URL": base_url}
    done = subprocess.run(
        [sys.executable, "-W", "error", *code],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout.strip()


@pytest.mark.parametrize("file", [file for file in EXAMPLES if file.stem in EXPECTED], ids=lambda file: file.stem)
def test_the_example_runs(
    file: Path, tmp_path: Path, legwork: Legwork, api_key: str, base_url: str, hurry: Hurry
) -> None:
    if file.stem == "follow_events":
        legwork.verify(question="Is it open?")

    with hurry(api_key):
        said = run([str(file)], tmp_path, api_key, base_url)

    assert re.search(EXPECTED[file.stem], said), said


def test_every_example_has_a_test() -> None:
    assert {file.stem for file in EXAMPLES} == {*EXPECTED, "webhook_receiver"}


@pytest.mark.parametrize("block", range(len(BLOCKS)))
def test_the_readme_runs(block: int, tmp_path: Path, api_key: str, base_url: str, hurry: Hurry) -> None:
    with hurry(api_key):
        run(["-c", textwrap.dedent(BLOCKS[block][1])], tmp_path, api_key, base_url)


def test_the_readme_has_examples() -> None:
    assert len(BLOCKS) >= 7


def test_the_code_of_the_docstrings_runs(tmp_path: Path, api_key: str, base_url: str, hurry: Hurry) -> None:
    documented = [legwork, legwork.Legwork, legwork.AsyncLegwork, legwork.verify_webhook]
    blocks = [
        textwrap.dedent(block)
        for one in documented
        for block in re.findall(r"\n\n((?:    [^\n]*\n|\n)+)", textwrap.dedent(f"{one.__doc__}\n"))
    ]

    assert len(blocks) == 4
    with hurry(api_key):
        for block in blocks:
            if "await " in block:
                block = f"import asyncio\nasync def main():\n{textwrap.indent(block, '    ')}\nasyncio.run(main())"
            before = f"from legwork import *\nbody, headers, secret = {BODY!r}, {sign()!r}, {SECRET!r}\n"
            run(["-c", before + block], tmp_path, api_key, base_url)


def test_the_webhook_receiver_answers_204_once_and_401_to_a_forgery(tmp_path: Path) -> None:
    port = 20_000 + os.getpid() % 20_000
    env = {**os.environ, "LEGWORK_WEBHOOK_SECRET": SECRET, "PORT": str(port)}
    receiver = subprocess.Popen(
        [sys.executable, str(ROOT / "examples/webhook_receiver.py")],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
    )

    def post(headers: dict[str, str]) -> int:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", BODY.encode(), headers)
        for _ in range(100):
            try:
                with urllib.request.urlopen(request, timeout=5) as response:
                    return response.status
            except HTTPError as error:
                with error:
                    return error.code
            except URLError:
                time.sleep(0.1)
        raise AssertionError("the receiver does not answer")

    try:
        statuses = [post(sign()), post(sign()), post({**sign(), "webhook-id": "evt_2"})]
    finally:
        receiver.send_signal(signal.SIGINT)
        said = receiver.communicate(timeout=10)[0]

    assert statuses == [204, 204, 401]
    assert said.splitlines()[0] == "webhook.ping"
    assert said.splitlines()[1].startswith("refused: The signature does not match")
