"""Reads all tasks, page by page."""

from legwork import Legwork

legwork = Legwork()

spent = sum(task.budget_cents for page in legwork.tasks.pages(status="completed") for task in page)
print(f"completed tasks cost {spent} cents")

for page in legwork.wallet.pages():
    for entry in page:
        print(f"{entry.type} {entry.amount_cents}")
