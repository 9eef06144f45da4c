from __future__ import annotations

from typing import Any

from legwork import WebhookEvent
from legwork._events import parse_event
from legwork.models import EVENT_MODELS, AgentTier, Event, WebhookPingEvent

PING: dict[str, Any] = {
    "id": "evt_1",
    "type": "webhook.ping",
    "created_at": "2026-01-02T03:04:05.678Z",
    "api_version": "v1",
    "sequence": None,
    "data": {},
}


def test_fields_and_values_of_a_newer_server_are_kept() -> None:
    event = WebhookPingEvent.model_validate({**PING, "brand_new": {"a": 1}})

    assert event.model_dump()["brand_new"] == {"a": 1}
    assert AgentTier.model_validate({"name": "gold"}).name == "gold"


def test_an_event_has_the_model_of_its_type() -> None:
    event: WebhookEvent = parse_event(PING)

    assert isinstance(event, WebhookPingEvent)
    assert event.created_at.year == 2026
    assert len(EVENT_MODELS) >= 16


def test_an_event_of_a_newer_server_is_an_event() -> None:
    event = parse_event({**PING, "type": "task.teleported", "data": {"task": {"id": "task_1"}}})

    assert type(event) is Event
    assert event.data == {"task": {"id": "task_1"}}
