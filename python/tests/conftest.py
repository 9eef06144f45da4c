from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

import pytest
from legwork import Legwork


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def base_url() -> str:
    url = os.environ.get("LEGWORK_URL")
    if not url:
        pytest.fail("needs a server: `npm run test:python` starts one and sets LEGWORK_URL")
    return url


@pytest.fixture
def api_key(base_url: str) -> str:
    """The key of a new test agent."""
    return Legwork.create_test_agent(base_url=base_url).agent.test_api_key


@pytest.fixture
def legwork(base_url: str, api_key: str) -> Iterator[Legwork]:
    with Legwork(api_key=api_key, base_url=base_url) as client:
        yield client


@pytest.fixture
def hurry(base_url: str) -> Callable[[str], object]:
    """Moves an agent's clock while the block runs, so that its scripted workers answer at once."""

    @contextmanager
    def hurried(api_key: str) -> Generator[None, None, None]:
        is_over = threading.Event()

        def move() -> None:
            with Legwork(api_key=api_key, base_url=base_url) as client:
                while not is_over.wait(0.4):
                    client.test.advance_clock("15s")

        thread = threading.Thread(target=move)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    return hurried
