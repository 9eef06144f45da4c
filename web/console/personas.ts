/** The scripted workers of test mode, and what each does. */
export const PERSONAS: { value: string; label: string; says: string }[] = [
  {
    value: 'happy',
    label: 'happy',
    says: 'Accepts after 2 s and sends a sharp photo taken near the place 5 s later.',
  },
  { value: 'slow', label: 'slow', says: 'Accepts after 30 s and sends proof after 2 min.' },
  { value: 'nobody', label: 'nobody', says: 'Nobody accepts, and the deadline passes.' },
  { value: 'blurry', label: 'blurry', says: 'Sends a blurry photo that fails a check.' },
  { value: 'far', label: 'far', says: 'Sends a photo taken far from the place.' },
  { value: 'late', label: 'late', says: 'Sends a photo that is older than the task.' },
  {
    value: 'hand_back',
    label: 'hand_back',
    says: 'Accepts and hands the task back. Another worker finishes it.',
  },
  {
    value: 'disagree',
    label: 'disagree',
    says: 'One of several workers gives a different answer.',
  },
  { value: 'appeal', label: 'appeal', says: 'Appeals if you dispute the work.' },
  {
    value: 'injection',
    label: 'injection',
    says: 'Sends proof that tries to give your agent instructions.',
  },
  { value: 'me', label: 'me', says: 'You do the task yourself in a browser.' },
]
