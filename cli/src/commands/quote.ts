/** `quote`: estimates the cost and duration of a task before any money is spent. */
import { readTaskType } from '@legwork/sdk'
import { command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { dollars, readCount, shellWord } from '../words.ts'

export const quote = command({
  name: 'quote',
  takes: '',
  summary: 'Estimate the price and duration of a task, free of charge',
  details: [
    '--type TYPE    verification, voice_proxy, gut_check, … (default: verification)',
    '--where PLACE  where the task is',
    '--people N     how many people to ask',
  ],
  options: {
    type: { type: 'string', default: 'verification' },
    where: { type: 'string' },
    people: { type: 'string' },
  },
  words: [0, 0],

  async run({ values: { type, where, people }, print, legwork }) {
    const found = await legwork().quote({
      // An unknown word is refused by the API, which names the types.
      type: readTaskType(type) ?? (type as never),
      ...(where === undefined ? {} : { where }),
      ...(people === undefined ? {} : { people: readCount(people, '--people') }),
    })
    const { low, usual, high } = found.budget_cents
    print.step(
      { type: 'quote', quote: found },
      `${print.style('bold', dollars(usual))} is typical for ${found.type} (${dollars(low)} to ${dollars(high)})`,
      found.says,
      `Confidence: ${found.confidence}`,
    )
    const same = [
      ...(where === undefined ? [] : ['--where', shellWord(where)]),
      ...(people === undefined ? [] : ['--people', people]),
    ]
    const budget = (usual / 100).toFixed(2)
    print.next('Ask with', ['ask "…" --type', found.type, '--budget', budget, ...same].join(' '))
    return EXIT.done
  },
})
