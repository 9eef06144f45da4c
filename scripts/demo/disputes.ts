/** Disputed work in every stage: what was asked and delivered, what each side says, and what an operator decided. */
import type { AgentName } from './people.ts'

export type Stage =
  | 'open'
  | 'appealed'
  | 'replied'
  | 'upheld'
  | 'overturned'
  | 'split'
  | 'withdrawn'
  | 'conceded'

export interface DisputePlan {
  stage: Stage
  daysAgo: number
  agent: AgentName
  /** Index in WORKERS. */
  worker: number
  /** Index of the agent's template. */
  template: number
  proof: string
  answer?: unknown
  reason: string
  category: 'not_done' | 'wrong_place' | 'unreadable' | 'spam' | 'fake' | 'other'
  /** The worker's appeal. */
  statement?: string
  /** The agent's reply to it. */
  reply?: string
  /** The operator's note. */
  note?: string
}

export const DISPUTES: DisputePlan[] = [
  {
    stage: 'open',
    daysAgo: 1.1,
    agent: 'shelfwatch',
    worker: 13,
    template: 0,
    proof: 'Milk costs 1.49.',
    answer: true,
    reason: 'The photo shows the tag of conventional milk, not of organic milk.',
    category: 'wrong_place',
  },
  {
    stage: 'open',
    daysAgo: 0.6,
    agent: 'pulse',
    worker: 24,
    template: 3,
    proof: 'All good, nothing was unclear.',
    reason: 'The answers to the ten questions are missing; we cannot use this line alone.',
    category: 'not_done',
  },
  {
    stage: 'appealed',
    daysAgo: 1.8,
    agent: 'rampfinder',
    worker: 0,
    template: 2,
    proof: 'Yes: the side entrance has a ramp, then everything is level. Sign in the photo.',
    answer: true,
    reason: 'The photo does not show the door of the accessible restroom.',
    category: 'unreadable',
    statement:
      'The sign with the wheelchair is on the right edge of the photo, next to the coat hooks.',
  },
  {
    stage: 'appealed',
    daysAgo: 1.4,
    agent: 'homelight',
    worker: 7,
    template: 2,
    proof: 'No construction in sight, I looked from both ends of the street.',
    answer: false,
    reason: 'Our data says that a permit was granted for the neighboring lot.',
    category: 'other',
    statement:
      'You asked what can be seen on the spot. There was no site and no posted permit, as my photo shows.',
  },
  {
    stage: 'replied',
    daysAgo: 1.5,
    agent: 'wayfare',
    worker: 3,
    template: 0,
    proof: 'Open on Sundays, 9 to 15.',
    answer: true,
    reason: 'The opening hours cannot be read in the photo.',
    category: 'unreadable',
    statement:
      'It was raining and the sign is behind glass. The hours are readable when you zoom in.',
    reply: 'We zoomed in. The line for Sunday is covered by a reflection.',
  },
  {
    stage: 'replied',
    daysAgo: 1.9,
    agent: 'nora',
    worker: 10,
    template: 0,
    proof: 'Booked for 8:15 pm.',
    reason: 'We asked for 7:30 pm; the guests cannot come at 8:15.',
    category: 'not_done',
    statement:
      'The task says to take the nearest free time if 7:30 is not possible. That was 8:15.',
    reply: 'The restaurant told us that 7:45 was free as well.',
  },
  {
    stage: 'upheld',
    daysAgo: 20,
    agent: 'pulse',
    worker: 17,
    template: 2,
    proof: 'About 100 people, hard to say.',
    reason: 'No start and end time, and adults and children were not counted separately.',
    category: 'not_done',
    statement: 'It was crowded and I did my best.',
    reply:
      'The checklist asks for both numbers and the times; without them the count is useless to us.',
    note: 'The checklist was clear, and three of its four points are missing.',
  },
  {
    stage: 'upheld',
    daysAgo: 47,
    agent: 'shelfwatch',
    worker: 15,
    template: 1,
    proof: 'Photos of the price tags.',
    reason: 'Only two of eight tags are shown.',
    category: 'not_done',
    statement: 'The others were not on the shelf.',
    reply: 'The task says to photograph the empty tag in that case.',
    note: 'Two of eight tags do not meet the request, and the text does not mention the missing ones.',
  },
  {
    stage: 'overturned',
    daysAgo: 33,
    agent: 'wayfare',
    worker: 0,
    template: 1,
    proof: 'Quiet, friendly, well lit. Two bars with outdoor seats. I would send visitors here.',
    answer: 8,
    reason: 'Too short for the price.',
    category: 'other',
    statement: 'You asked about noise, light, crowds and people. I answered each of them.',
    reply: 'We expected several paragraphs.',
    note: 'Every question was answered. The task does not ask for a minimum length.',
  },
  {
    stage: 'overturned',
    daysAgo: 61,
    agent: 'homelight',
    worker: 4,
    template: 2,
    proof: 'Yes, a crane is visible at the end of the street.',
    answer: true,
    reason: 'The photo was taken at another place.',
    category: 'wrong_place',
    statement: 'The street sign is in the photo, and my phone’s location matches.',
    reply: 'The facade does not match our pictures from 2019.',
    note: 'Location and street sign match. The facade was painted since 2019.',
  },
  {
    stage: 'split',
    daysAgo: 26,
    agent: 'nora',
    worker: 6,
    template: 1,
    proof: 'Delivered at 7:25 pm, the traffic was terrible.',
    reason: 'It came after 7 pm, and our customer had to wait.',
    category: 'other',
    statement: 'I wrote at 6:50 that the bridge was closed, and I delivered the parcel undamaged.',
    reply: 'The time window was the point of the task.',
    note: 'Delivered, but late for a reason that neither side could control. Both carry half.',
  },
  {
    stage: 'withdrawn',
    daysAgo: 12,
    agent: 'rampfinder',
    worker: 1,
    template: 2,
    proof: 'No, there is one step of about 5 cm between the hall and the restroom.',
    answer: false,
    reason: 'Other reports say that the way is step-free.',
    category: 'fake',
    statement: 'The second photo shows the step with my shoe next to it.',
  },
  {
    stage: 'conceded',
    daysAgo: 40,
    agent: 'soundmap',
    worker: 8,
    template: 1,
    proof: 'Ventilation, a radio, sparrows, a door, silence. Then somebody laughed.',
    reason: 'We already have this courtyard.',
    category: 'other',
    statement: 'That is not a fault of my work. I was there, and I wrote what you asked for.',
  },
]
