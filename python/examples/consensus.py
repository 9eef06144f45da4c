"""Asks three people, and decides if they disagree."""

from legwork import ConsensusConflictError, Legwork

legwork = Legwork()
task = legwork.gut_check(
    content="We are sorry that your parcel is late. It left our house today.",
    question="How friendly does this sound?",
    scale="1-10",
    consensus=3,
)

consensus = legwork.tasks.wait(task.id, timeout="2h").consensus
assert consensus is not None
print(f"they say {', '.join(str(vote.answer) for vote in consensus.votes)}")

try:
    legwork.tasks.approve(task.id)
    print(f"the result is {consensus.result}")
except ConsensusConflictError:
    legwork.tasks.approve(task.id, override_result=5)
    print("they do not agree: 5 counts, and everyone is paid")
