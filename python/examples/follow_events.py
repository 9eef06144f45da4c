"""Follows events without a public webhook URL, and resumes where it stopped."""

from pathlib import Path

from legwork import Legwork
from legwork.models import TaskProofSubmittedEvent

PLACE = Path("last-event")
legwork = Legwork()
after = PLACE.read_text() if PLACE.exists() else None

for event in legwork.events.follow(after=after):
    print(f"{event.created_at:%H:%M:%S} {event.type}")
    if isinstance(event, TaskProofSubmittedEvent):
        legwork.tasks.approve(event.data.task.id)
    # Save the cursor only after processing the event: after a crash you then get the event again.
    PLACE.write_text(event.id)
    if event.type == "task.completed":
        break
