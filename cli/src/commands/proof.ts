/** `proof ID`: prints people's answers and saves their photos and recordings as files. */
import { command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { savedLine, saveProofs } from '../save-proofs.ts'
import { consensusLines, nextSteps, proofLines, taskIdOf } from '../task-words.ts'

export const proof = command({
  name: 'proof',
  takes: 'ID',
  summary: 'Show the proof of a task, and save its photos and recordings',
  details: ['--out FOLDER  where to save them (default: this folder)'],
  options: { out: { type: 'string', default: '.' } },
  words: [1, 1],

  async run({ values, words, print, legwork, folder }) {
    const client = legwork()
    const task = await client.tasks.get(taskIdOf(words[0]!, folder), { media: 'url' })
    const saved = await saveProofs(client, { taskId: task.id, out: values.out })
    for (const one of task.proofs)
      print.step({ type: 'proof', task_id: task.id, proof: one }, ...proofLines([one], print))
    print.step(
      { type: 'saved', task_id: task.id, saved },
      ...consensusLines(task, print),
      ...savedLine(saved),
    )
    if (task.proofs.length === 0) print.note(`No proof yet. The task is ${task.status}.`)
    nextSteps(task, print)
    return EXIT.done
  },
})
