/** The kinds of questions, with their default price. */
export const KINDS = {
  verify: {
    type: 'verification',
    budget_cents: 500,
    proof: 'photo',
    says: 'go and check something; the answer is yes or no, with a photo',
  },
  call: {
    type: 'voice_proxy',
    budget_cents: 1000,
    proof: 'text',
    says: 'make a phone call and report what was said',
  },
  gut_check: {
    type: 'gut_check',
    budget_cents: 300,
    proof: 'text',
    says: 'a first impression of a text or an idea, on a `scale` or in words',
  },
  field: {
    type: 'field_mission',
    budget_cents: 1500,
    proof: 'photo',
    says: 'go somewhere and do something, with a photo',
  },
  escalate: {
    type: 'empathy_escalation',
    budget_cents: 2000,
    proof: 'text',
    says: 'talk to an upset or hesitant person',
  },
  vibe: {
    type: 'vibe_reader',
    budget_cents: 800,
    proof: 'text',
    says: 'describe the mood of a place, a page or a text',
  },
  custom: { type: 'custom', budget_cents: 1000, proof: 'text', says: 'anything else' },
} as const

export type Kind = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]]

export const ABOUT_KINDS = Object.entries(KINDS)
  .map(([name, { budget_cents, says }]) => `${name} (${budget_cents} cents): ${says}`)
  .join('; ')

/** `$12.34`. */
export const dollars = (cents: number) =>
  `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`
