/** Reads the practice tasks, on which the wording score is trained, with the half `tune` of the labelled set. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { wordsOfTask } from '../../src/screening/screen.ts'
import { wordsOf } from '../../src/screening/tokens.ts'
import type { Fields } from '../../src/screening/wording.ts'
import { screenedOf } from './confusion.ts'
import { labelledTasks } from './labelled-tasks.ts'

const PRACTICE = path.join(import.meta.dirname, 'practice')
/** Everyday tasks, which aren't close to any line. */
export const ORDINARY = 'ordinary'

export interface PracticeTask {
  class: string
  label: string
  isOrdinary: boolean
  fields: Fields
}

/** Each line of a file has a class, a label and a text, whose fields are separated by " | ". */
export function practiceTasks(): PracticeTask[] {
  const written = readdirSync(PRACTICE)
    .filter((file) => file.endsWith('.tsv'))
    .toSorted()
    .flatMap((file) => readFileSync(path.join(PRACTICE, file), 'utf8').trimEnd().split('\n'))
    .map((line) => {
      const [name, label, text] = line.split('\t')
      return {
        class: name!,
        label: label!,
        isOrdinary: name === ORDINARY,
        fields: text!.split(' | ').map(wordsOf),
      }
    })
  const tuned = labelledTasks('tune').map((task) => {
    const { title, description, context, criteria } = screenedOf(task)
    return {
      class: task.class,
      label: task.label,
      isOrdinary: false,
      // The score reads only these fields of a task.
      fields: wordsOfTask({ title, description, context, criteria }),
    }
  })
  return [...written, ...tuned]
}
