"""
Turns errors into sentences that a model can act on, the same as mcp/src/refusals.ts. Uses only our own words and those
of the API, never a proof's.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from ._outcome import dollars
from .errors import LegworkError

DEFECT = (
    "Something went wrong on our side. Try again in a minute. If it happens again, tell the person you work for."
)


def explain_arguments(error: ValidationError) -> str:
    problems = [f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in error.errors()]
    return f"Invalid arguments. {'; '.join(problems)}. Nothing was changed."


def explain(error: LegworkError, *, console_url: str, task_id: str | None) -> str:
    fields = error.fields
    if error.code == "insufficient_funds":
        return (
            f"Insufficient funds: this needs {_cents(fields, 'required_cents')}, and the wallet has "
            f"{_cents(fields, 'balance_cents')}. Nothing was spent. Ask the person you work for to add funds at "
            f"{console_url}/wallet, or ask with a smaller budget_cents."
        )
    if error.code == "key_cap":
        return (
            f"This is above the spending cap of this key: its cap is {_cents(fields, 'limit_cents')}, "
            f"{_cents(fields, 'spent_cents')} is used, and this needs {_cents(fields, 'required_cents')}. Nothing was "
            f"spent. Ask the person you work for to raise the cap at {console_url}/keys, or ask with a smaller "
            "budget_cents."
        )
    if error.code == "task_not_found":
        return f"There is no task {task_id or 'with that id'}."
    if error.code == "invalid_state":
        return (
            f"The task is {fields.get('status')}, which does not allow this. "
            f"Call wait_for_human with task_id {task_id or '…'} to see its status."
        )
    # The votes are workers' words, so they are shown only inside the data block.
    if error.code == "consensus_conflict":
        return (
            f"The answers disagree. Read them with wait_for_human and task_id {task_id or '…'}, decide which result "
            "is correct, and approve with override_result."
        )
    if error.code == "idempotency_mismatch":
        return "This request_key was used before with other arguments. Use another request_key, or none."
    if error.code in ("connection_failed", "time_limit"):
        return "Legwork could not be reached. Call again in a moment; your question is not posted twice."
    if error.code == "unreadable_answer":
        return DEFECT
    if error.code == "invalid_request" and isinstance(fields.get("details"), list):
        problems = [f"{one.get('path')} {one.get('message')}" for one in fields["details"]]
        return f"Invalid arguments. {'; '.join(problems)}"
    reference = "" if error.request_id is None else f" ({error.request_id})"
    return f"{error.message}{reference}. {error.hint or ''}".strip()


def _cents(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    return dollars(value) if isinstance(value, int) else "an unknown amount"
