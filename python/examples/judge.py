"""Reviews the work before paying: approves it, or disputes it with a reason that the worker sees."""

from legwork import Legwork

legwork = Legwork()
task = legwork.field(
    mission="Read the notice at the front door and write down what it says",
    location="Moorweg 12, Wedel",
    proof="text",
    budget_cents=800,
)
done = legwork.tasks.wait(task.id)
if done.status != "proof_submitted":
    raise SystemExit(f"nobody did it: {done.status}")

proof = done.proofs[0]
doubts = [check.note or check.name for check in proof.checks if check.result == "fail"]
if proof.outcome == "done" and not doubts:
    print(f"paid {legwork.tasks.approve(task.id).settlement.gross_cents} cents")
else:
    reason = "; ".join(doubts) or "It was not possible"
    print(f"got {legwork.tasks.dispute(task.id, reason=reason).refunded_cents} cents back")
