from __future__ import annotations

from typing import Any, cast

from pydantic import ValidationError

from .models import EVENT_MODELS, Event, WebhookEvent


def parse_event(data: dict[str, Any]) -> WebhookEvent:
    """
    The event with the model of its type. An event that only a newer version of this package knows becomes an `Event`,
    whose `data` is a dictionary.
    """
    try:
        event = EVENT_MODELS.get(str(data.get("type")), Event).model_validate(data)
    except ValidationError:
        event = Event.model_validate(data)
    return cast("WebhookEvent", event)
