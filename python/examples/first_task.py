"""Asks a question, waits for the answer, saves the photos and pays."""

from legwork import Legwork

legwork = Legwork()  # LEGWORK_API_KEY
task = legwork.verify(question="Is the bakery open?", location="Moorweg 12, Wedel", proof="photo")
print(f"{task.id}: {task.budget_cents} cents are locked")

done = legwork.tasks.wait(task.id, timeout="30m")
for proof in done.proofs:
    print(f"{proof.worker.name} says {proof.answer}: {proof.text}")
for file in legwork.tasks.save_proofs(done.id, "proofs"):
    print(f"saved {file}")

settlement = legwork.tasks.approve(task.id).settlement
print(f"the worker gets {settlement.workers[0].net_cents} cents")
