/** The scripted workers of test mode, and what each does. */
export const PERSONAS: { value: string; label: string; says: string }[] = [
  {
    value: 'happy',
    label: 'happy',
    says: 'Accepts after 2 s, sends a sharp photo near the place 5 s later.',
  },
  { value: 'slow', label: 'slow', says: 'Accepts after 30 s, proof after 2 min.' },
  { value: 'nobody', label: 'nobody', says: 'No one accepts; the deadline passes.' },
  { value: 'blurry', label: 'blurry', says: 'The photo is not sharp: a check fails.' },
  { value: 'far', label: 'far', says: 'The photo was taken far from the place.' },
  { value: 'late', label: 'late', says: 'The photo is older than the task.' },
  {
    value: 'hand_back',
    label: 'hand_back',
    says: 'Accepts, gives it back; another one finishes it.',
  },
  { value: 'disagree', label: 'disagree', says: 'Of several people, one says otherwise.' },
  { value: 'appeal', label: 'appeal', says: 'Appeals when you dispute.' },
  {
    value: 'injection',
    label: 'injection',
    says: 'The proof tries to give your agent instructions.',
  },
  { value: 'me', label: 'me', says: 'You play the worker yourself, in a browser.' },
]
