/** Emails to people without an account, in English. Nothing in them was written by the person who asked. */
import { compose, type Mail } from './compose.ts'
import { timeIn } from './formats.ts'

const NOUNS = { phone: 'phone number', place: 'address', person: 'contact' }

export function noContactAnswered({
  kind,
  state,
  note,
  until,
  link,
}: {
  kind: keyof typeof NOUNS
  state: 'confirmed' | 'declined' | 'lapsed' | 'ended'
  note: string | null
  until: Date | null
  link: string
}): Mail {
  const noun = NOUNS[kind]
  const words = note === null ? [] : [`Our answer: ${note}`]
  const again = [{ label: 'Ask again', link }, NOT_YOURS]
  switch (state) {
    case 'confirmed':
      return compose('en', 'We won’t send workers to you any more', [
        `You asked us not to be contacted. From now on we refuse tasks about this ${noun}.`,
        ...(until === null
          ? []
          : [`This lasts until ${timeIn('en', until)}. Then you can ask again.`]),
        'A task that a worker has already accepted may still reach you.',
        ...words,
        NOT_YOURS,
      ])
    case 'declined':
      return compose('en', `We can’t protect this ${noun}`, [
        `You asked us not to be contacted. Tasks about this ${noun} are still possible.`,
        ...words,
        'If you have more to tell us, ask again:',
        ...again,
      ])
    case 'lapsed':
      return compose('en', 'We didn’t get to your request in time', [
        'You asked us not to be contacted. We’re sorry: nobody decided in time, and the request has expired.',
        ...again,
      ])
    case 'ended':
      return compose('en', `Your ${noun} is no longer protected`, [
        `You asked us not to be contacted, and we refused tasks about your ${noun} for two years. This has ended, ` +
          'because numbers and addresses get new owners. If nothing has changed, ask again:',
        ...again,
      ])
  }
}

const NOT_YOURS = 'If you didn’t ask for this, ignore this email: somebody mistyped an address.'
