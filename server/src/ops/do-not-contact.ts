/** Confirm or decline a request not to be contacted. */
import { decideNoContact } from '../decisions/kinds/decide-no-contact.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

const VERDICTS = { confirm: 'confirmed', decline: 'declined' } as const

export const doNotContact = command({
  name: 'do-not-contact',
  takes: 'REQUEST confirm | decline NOTE',
  does: 'decide on a request not to be contacted; the person gets the note by email',
  right: 'rule',
  async run(background, { words: [id, verdict = '', ...note], by }) {
    const subject = named(id, 'a request')
    if (verdict !== 'confirm' && verdict !== 'decline')
      throw new Misunderstood('The decision must be `confirm` or `decline`')
    const data = await decideNow(background, decideNoContact, {
      subject,
      input: { verdict: VERDICTS[verdict] },
      reason: sentenceOf(note, 'a note for the person'),
      by,
    })
    return { data }
  },
})
