"""What all models of the API have in common."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


class Model(BaseModel):
    """An object of the API. Fields that a newer server adds are kept, but have no type."""

    model_config = ConfigDict(extra="allow", protected_namespaces=(), hide_input_in_errors=True)


class _Open:
    """Lets a field with known values take others, too, because a newer server may have more."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.str_schema()


OPEN = _Open()
