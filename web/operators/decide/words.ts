type Tone = 'plain' | 'warn' | 'good' | 'bad' | 'info'

/** The states of a decision. */
export const STATES: Record<string, { word: string; tone: Tone }> = {
  waiting: { word: 'Waits for a second operator', tone: 'warn' },
  agreed: { word: 'Agreed, being carried out', tone: 'info' },
  done: { word: 'Carried out', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  declined: { word: 'Declined', tone: 'plain' },
  withdrawn: { word: 'Withdrawn', tone: 'plain' },
  lapsed: { word: 'Lapsed', tone: 'plain' },
}
