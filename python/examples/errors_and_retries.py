"""Handles errors. Temporary failures were already retried before an error is raised."""

from __future__ import annotations

from legwork import InsufficientFundsError, InvalidRequestError, Legwork, LegworkError

legwork = Legwork(max_retries=5, timeout=10)


def order(number: int, budget_cents: int) -> str | None:
    """An idempotency key: however often this runs, one order creates one task."""
    try:
        task = legwork.tasks.create(
            description=f"Deliver order {number}",
            budget_cents=budget_cents,
            idempotency_key=f"order-{number}",
        )
    except InsufficientFundsError as error:
        print(f"add {error.required_cents - error.balance_cents} cents first")
    except InvalidRequestError as error:
        print(", ".join(f"{one.get('path')} {one.get('message')}" for one in error.details))
    except LegworkError as error:
        print(f"{error.code}: {error} ({error.request_id})")
    else:
        print(f"order {number} is {task.id}")
        return task.id


first = order(17, 500)
again = order(17, 500)
print("once" if first == again else "twice")
order(18, 90_000_000)
order(19, 0)
