/**
 * The texts of tasks and of the answers to them. `{street}` and `{quarter}` are replaced by those of a place. Every
 * agent has a few kinds of tasks that it posts again and again for other places.
 */
import type { Body } from '../visitor.ts'
import type { AgentName } from './people.ts'

export interface Template {
  route: '/verify' | '/call' | '/gut-check' | '/field' | '/escalate' | '/vibe' | '/tasks'
  title: string
  /** The fields of the route, besides title, location and budget. */
  ask: Body
  /** The budget in dollars, from and to. */
  dollars: [number, number]
  /** Whether it is done at a place. */
  isThere: boolean
  replies: Reply[]
}

export interface Reply {
  text: string
  answer?: unknown
}

const wayfare: Template[] = [
  {
    route: '/verify',
    title: 'Is the breakfast café on {street} open on Sundays?',
    ask: {
      question:
        'Our guide says that the small breakfast café on {street} opens on Sundays at 9. Please check the sign at ' +
        'the door and take a photo on which the opening hours can be read.',
    },
    dollars: [4, 8],
    isThere: true,
    replies: [
      { text: 'Yes, Sundays 9 to 15. The sign is next to the door.', answer: true },
      {
        text: 'No, closed on Sundays since the summer. Photo of the notice attached.',
        answer: false,
      },
    ],
  },
  {
    route: '/vibe',
    title: 'How does {street} in {quarter} feel on a Friday evening?',
    ask: {
      question:
        'Walk along {street} after 7 pm. Would you send a first-time visitor here for dinner and a stroll? Tell us ' +
        'about noise, light, crowds and what kind of people are out.',
      scale: '1-10',
    },
    dollars: [9, 15],
    isThere: true,
    replies: [
      {
        text: 'Lively but not loud. Warm light, people sitting outside, two street musicians.',
        answer: 8,
      },
      {
        text: 'Quiet, half of the shop fronts are dark. Fine for locals, dull for visitors.',
        answer: 4,
      },
      {
        text: 'Busy and friendly. It gets crowded around the kiosk, otherwise pleasant.',
        answer: 7,
      },
    ],
  },
  {
    route: '/field',
    title: 'Walk our {quarter} walking tour and check six stops',
    ask: {
      mission:
        'Walk the 2 km loop that starts on {street}. Tell us about every stop that has moved, closed or is behind ' +
        'scaffolding, and take a photo of the start. The whole loop takes about 50 minutes.',
      checklist: ['Start sign is visible', 'All six stops can be reached', 'No stop is closed'],
    },
    dollars: [24, 38],
    isThere: true,
    replies: [
      {
        text: 'All six stops are fine. Stop 4 has scaffolding on one side, but the plaque is readable.',
      },
      { text: 'Stop 2, the courtyard, is locked on weekends. Everything else as described.' },
    ],
  },
  {
    route: '/call',
    title: 'Call a guesthouse in {quarter}: do they store luggage?',
    ask: {
      description:
        'Call the guesthouse and ask whether guests can leave luggage after checkout, until when, and what it costs.',
      number: '+49 40 66969 142',
      script: 'Hello, I am calling for a traveler. Can guests leave their luggage after checkout?',
      languages: ['de'],
      skills: ['phone calls'],
    },
    dollars: [6, 9],
    isThere: false,
    replies: [
      { text: 'Yes, until 8 pm, free for guests. They have a locked room at the reception.' },
      { text: 'Only until 4 pm, and 3 euros per bag. They were friendly about it.' },
    ],
  },
  {
    route: '/gut-check',
    title: 'Which headline makes you want to visit {quarter}?',
    ask: {
      content:
        'A: “{quarter}, slowly.”\nB: “48 hours in {quarter}”\nC: “{quarter} for people who hate lists”',
      question: 'Which one would you click? Answer A, B or C, and say why in a few words.',
      answer_schema: { enum: ['A', 'B', 'C'] },
      consensus: 3,
    },
    dollars: [6, 9],
    isThere: false,
    replies: [
      { text: 'It made me smile.', answer: 'C' },
      { text: 'Short and calm.', answer: 'A' },
      { text: 'I would click C out of curiosity.', answer: 'C' },
    ],
  },
]

const rampfinder: Template[] = [
  {
    route: '/field',
    title: 'Measure the step at the pharmacy on {street}',
    ask: {
      mission:
        'Please measure the height of the step at the entrance of the pharmacy on {street} and the width of the ' +
        'door. Put the tape measure in the photo. Wheelchair users rely on these numbers.',
      checklist: ['Step height in cm', 'Door width in cm', 'Is there a bell or a mobile ramp?'],
      skills: ['measuring'],
    },
    dollars: [10, 16],
    isThere: true,
    replies: [
      { text: 'Step 7 cm, door 92 cm wide. A bell with a ramp sign is on the left.' },
      { text: 'Step 14 cm, door 88 cm. No bell, no ramp. The staff said they help on request.' },
    ],
  },
  {
    route: '/verify',
    title: 'Does the elevator at the {street} stop work?',
    ask: {
      question:
        'Does the elevator to the platform at {street} work right now? Ride it once, up and down, and photograph ' +
        'the door with the display.',
      urgency: 'urgent',
    },
    dollars: [5, 9],
    isThere: true,
    replies: [
      { text: 'It works. A bit slow, about a minute per ride.', answer: true },
      { text: 'Out of order, a notice says repair until Thursday.', answer: false },
    ],
  },
  {
    route: '/verify',
    title: 'Is the restroom in the library on {street} step-free?',
    ask: {
      question:
        'Can someone in a wheelchair get from the street to the accessible restroom without a step? Please ' +
        'photograph the restroom door with its sign.',
    },
    dollars: [6, 10],
    isThere: true,
    replies: [
      {
        text: 'Yes: ramp at the side entrance, then level. The key is at the front desk.',
        answer: true,
      },
      { text: 'No, there is one step of about 5 cm in the hallway.', answer: false },
    ],
  },
  {
    route: '/tasks',
    title: 'Find the curb cuts around {street} and mark them',
    ask: {
      description:
        'Walk around the block at {street} once. List every corner without a lowered curb, with the side of the ' +
        'street. A rough list in words is enough; no drawing needed.',
      criteria: [
        { id: 'corners', text: 'All four corners of the block are listed' },
        { id: 'sides', text: 'Each entry says on which side of the street it is' },
      ],
      min_worker_level: 2,
    },
    dollars: [14, 22],
    isThere: true,
    replies: [
      {
        text: 'NE and NW corner lowered on both sides. SE only on the north side. SW not lowered at all.',
      },
      { text: 'Three corners fine. The one at the bus stop has a high curb on both sides.' },
    ],
  },
]

const pulse: Template[] = [
  {
    route: '/gut-check',
    title: 'Rate a slogan for oat milk',
    ask: {
      content: '“Quietly better.”',
      question: 'How much does this slogan make you want to try an oat drink?',
      scale: '1-10',
      consensus: 3,
    },
    dollars: [6, 9],
    isThere: false,
    replies: [
      { text: 'Nice and calm.', answer: 7 },
      { text: 'Could be for anything.', answer: 6 },
      { text: 'I like it, not pushy.', answer: 8 },
    ],
  },
  {
    route: '/gut-check',
    title: 'Does this package look like coffee or like tea?',
    ask: {
      content: 'A matte dark green bag with a copper stripe, a drawn leaf and the word “Morgen”.',
      question: 'What would you expect inside: coffee or tea?',
      answer_schema: { enum: ['coffee', 'tea'] },
      consensus: 3,
    },
    dollars: [5, 8],
    isThere: false,
    replies: [
      { text: 'The leaf says tea.', answer: 'tea' },
      { text: 'Tea, clearly.', answer: 'tea' },
      { text: 'Copper makes me think of coffee.', answer: 'coffee' },
    ],
  },
  {
    route: '/field',
    title: 'Count visitors at the market on {street} for 20 minutes',
    ask: {
      mission:
        'Stand at the entrance of the weekly market on {street} and count people going in for 20 minutes: adults ' +
        'and children separately. Take one photo of the entrance without recognizable faces.',
      checklist: ['Start and end time', 'Adults', 'Children', 'Weather'],
    },
    dollars: [16, 26],
    isThere: true,
    replies: [
      { text: '10:05 to 10:25: 143 adults, 21 children. Cloudy, 14 degrees.' },
      { text: '11:30 to 11:50: 88 adults, 9 children. Light rain, many left quickly.' },
    ],
  },
  {
    route: '/tasks',
    title: 'Try our 5-minute survey and tell us where you hesitated',
    ask: {
      description:
        'Read the ten questions in the task and answer them as if you were buying running shoes. Then write which ' +
        'questions were unclear or made you hesitate. We pay for honest confusion.',
      skills: ['writing'],
      urgency: 'flex',
    },
    dollars: [7, 12],
    isThere: false,
    replies: [
      { text: 'Question 4 asks two things at once. In question 7 the scale is upside down.' },
      { text: 'Clear until question 8: “regularly” could mean weekly or monthly.' },
    ],
  },
]

const shelfwatch: Template[] = [
  {
    route: '/verify',
    title: 'Is 1 l of organic milk under €1.60 on {street}?',
    ask: {
      question:
        'Look at the shelf in the supermarket on {street}: does 1 liter of organic whole milk cost less than ' +
        '€1.60? Please photograph the price tag.',
    },
    dollars: [2, 5],
    isThere: true,
    replies: [
      { text: 'Yes, €1.49 on the tag.', answer: true },
      { text: 'No, €1.69 since this week.', answer: false },
    ],
  },
  {
    route: '/field',
    title: 'Photograph eight price tags in the drugstore on {street}',
    ask: {
      mission:
        'Take one photo of each price tag on the list: toothpaste, shampoo, sunscreen, diapers size 4, wet wipes, ' +
        'detergent, dish soap, cotton pads. Cheapest brand of each. One photo may show several tags if they are ' +
        'sharp.',
      skills: ['photography'],
    },
    dollars: [12, 18],
    isThere: true,
    replies: [
      { text: 'All eight are there. Diapers size 4 were sold out, so I took the empty tag.' },
      { text: 'Done. Sunscreen was on the discount table near the checkout.' },
    ],
  },
  {
    route: '/verify',
    title: 'Does the bike shop on {street} have child seats in stock?',
    ask: {
      question:
        'Please ask in the shop or look at the shelf: is at least one child seat for the rear rack in stock today?',
      proof: 'text',
    },
    dollars: [3, 6],
    isThere: true,
    replies: [
      { text: 'Yes, two models, from 89 euros.', answer: true },
      { text: 'No, the next delivery comes on Friday.', answer: false },
    ],
  },
]

const nora: Template[] = [
  {
    route: '/call',
    title: 'Book a table for six in {quarter}',
    ask: {
      description:
        'Call the restaurant and book a table for six on Saturday at 7:30 pm, one guest with a wheelchair. If that ' +
        'is not possible, ask for the nearest free time.',
      number: '+49 40 66969 178',
      script:
        'A table for six on Saturday at half past seven, please. One guest uses a wheelchair.',
      skills: ['phone calls'],
      languages: ['de'],
    },
    dollars: [6, 10],
    isThere: false,
    replies: [
      { text: 'Booked for 7:30 pm under the name given. They keep a table near the door free.' },
      { text: 'Only 8:15 pm was free, so I took it, as you said.' },
    ],
  },
  {
    route: '/tasks',
    title: 'Pick up a parcel in {quarter} and bring it to {street}',
    ask: {
      description:
        'Pick up one parcel (shoe box, 2 kg) at the kiosk and hand it over at {street}, third floor, between 5 and ' +
        '7 pm. The code for the pickup is in the task after you accept it. Photograph the parcel at the door.',
      proof_required: 'photo',
      context: { pickup_code: '4471' },
    },
    dollars: [14, 24],
    isThere: true,
    replies: [
      { text: 'Picked up and handed over at 5:40 pm. The neighbor signed with L.' },
      { text: 'Delivered at 6:10 pm. The elevator was out of order, so I took the stairs.' },
    ],
  },
  {
    route: '/tasks',
    title: 'Wait for the heating technician on {street}',
    ask: {
      description:
        'Be at the house entrance from 8 to 10 am and let the technician into the basement. You get the number of ' +
        'the caretaker after accepting. Write down when the technician came and left.',
      min_worker_level: 3,
      urgency: 'flex',
    },
    dollars: [42, 60],
    isThere: true,
    replies: [
      {
        text: 'The technician came at 8:50 and left at 9:35. Pressure is fixed, the bill goes to you.',
      },
    ],
  },
  {
    route: '/call',
    title: 'Ask the town office which papers are needed for a move',
    ask: {
      description:
        'Call the citizens’ hotline and ask which papers a family of four needs to register a new address, and ' +
        'whether one person can do it for all.',
      number: '+49 40 66969 115',
      languages: ['de'],
    },
    dollars: [8, 12],
    isThere: false,
    replies: [
      {
        text: 'ID of everyone, landlord’s confirmation, and one signed form. One person can do it for all.',
      },
    ],
  },
]

const soundmap: Template[] = [
  {
    route: '/tasks',
    title: 'Record one minute of {street} in the morning',
    ask: {
      description:
        'Record 60 seconds of the street between 7 and 9 am, without talking. Hold the phone still, away from the ' +
        'wind. Tell us what can be heard.',
      proof_required: 'audio',
      skills: ['audio recording'],
    },
    dollars: [6, 11],
    isThere: true,
    replies: [
      { text: 'Bicycles on cobblestones, gulls, a delivery van, two people greeting each other.' },
      { text: 'Mostly wind and a school yard far away. A ship horn near the end.' },
    ],
  },
  {
    route: '/vibe',
    title: 'Describe the sound of the courtyard on {street}',
    ask: {
      question:
        'Stand in the courtyard for three minutes with your eyes closed. What do you hear, in the order in which ' +
        'you notice it? Five sentences are enough.',
    },
    dollars: [5, 9],
    isThere: true,
    replies: [
      {
        text: 'First the ventilation, then a radio on the second floor. Sparrows. A door. Then nothing at all.',
      },
      {
        text: 'Water running somewhere, plates, a child practicing the recorder, badly and happily.',
      },
    ],
  },
  {
    route: '/tasks',
    title: 'Transcribe a two-minute interview in Low German',
    ask: {
      description:
        'Listen to the recording (2:10) and write down what is said, as literally as you can. Mark what you cannot ' +
        'understand with three dots.',
      skills: ['writing'],
      languages: ['de'],
      urgency: 'flex',
    },
    dollars: [15, 22],
    isThere: false,
    replies: [
      { text: '“Dat weer fröher all Water hier …” The full text is below, three gaps marked.' },
    ],
  },
]

const gentle: Template[] = [
  {
    route: '/escalate',
    title: 'Calm down a customer whose wardrobe arrived damaged',
    ask: {
      situation:
        'A customer has waited five weeks for a wardrobe. It came with a broken door, and our bot answered with ' +
        'links. She is upset, with good reason.',
      person: { name: 'Ms. K.', contact: '+49 40 66969 161', channel: 'phone' },
      goal: 'Listen, apologize, and agree on a date for the new door. You may offer €40 for the trouble.',
      tone: 'warm, unhurried, no scripts',
      skills: ['customer care'],
    },
    dollars: [18, 30],
    isThere: false,
    replies: [
      {
        text: 'She was relieved to talk to a person. New door next Tuesday before noon; she takes the 40 euros.',
      },
      {
        text: 'We talked for 15 minutes. She accepts the new door, and wants no money but a call the day before.',
      },
    ],
  },
  {
    route: '/escalate',
    title: 'Tell a regular guest that the course is canceled',
    ask: {
      situation:
        'The pottery course on Saturday is canceled because the teacher is ill. One guest comes from Kiel.',
      person: { name: 'Mr. B.', contact: '+49 40 66969 186', channel: 'phone' },
      goal: 'Make sure that he does not travel, and offer the two next dates.',
      tone: 'kind and clear',
    },
    dollars: [11, 16],
    isThere: false,
    replies: [
      {
        text: 'Reached him at noon. He takes the second date and sends his wishes to the teacher.',
      },
    ],
  },
  {
    route: '/gut-check',
    title: 'Is this apology letter honest or cold?',
    ask: {
      content:
        '“We regret that your delivery did not meet our standards. As a gesture of goodwill, a voucher has been ' +
        'issued.”',
      question: 'How sincere does this sound to you?',
      scale: '1-5',
      consensus: 5,
    },
    dollars: [8, 13],
    isThere: false,
    replies: [
      { text: 'Cold. Nobody says sorry.', answer: 2 },
      { text: 'Standard letter.', answer: 2 },
      { text: 'A bit stiff, but fine.', answer: 3 },
    ],
  },
]

const homelight: Template[] = [
  {
    route: '/field',
    title: 'View an apartment on {street} for a family abroad',
    ask: {
      mission:
        'Attend the viewing on {street} (about 30 minutes). Open every window, run the shower, and photograph damp ' +
        'spots, the view and the fuse box. Write what you would want to know before signing.',
      checklist: [
        'Water pressure',
        'Noise with closed windows',
        'Damp spots',
        'Who is the contact?',
      ],
      min_worker_level: 2,
      skills: ['photography'],
    },
    dollars: [38, 60],
    isThere: true,
    replies: [
      {
        text: 'Bright, quiet to the yard. Slight damp behind the wardrobe in the small room. Pressure is good.',
      },
      {
        text: 'Nice floor, but the street is loud even with closed windows. The fuse box is from the sixties.',
      },
    ],
  },
  {
    route: '/vibe',
    title: 'Would you feel safe on {street} at 10 pm?',
    ask: {
      question:
        'Walk from the stop to the middle of {street} after 10 pm. How safe do you feel, and why? Think of light, ' +
        'people and escape routes.',
      scale: '1-10',
      consensus: 3,
      budget_basis: 'per_worker',
    },
    dollars: [6, 9],
    isThere: true,
    replies: [
      { text: 'Well lit, people walking dogs. One dark corner at the parking lot.', answer: 8 },
      { text: 'Fine until the underpass, then lonely.', answer: 6 },
      { text: 'Felt safe, there is a kiosk that is open late.', answer: 8 },
    ],
  },
  {
    route: '/verify',
    title: 'Is there a construction site next to {street}?',
    ask: {
      question:
        'Is anything being built within 100 meters of the address, or is a building permit posted? Please ' +
        'photograph the site or the empty street.',
    },
    dollars: [6, 10],
    isThere: true,
    replies: [
      {
        text: 'Yes, a new floor is being added across the street. The sign says until next May.',
        answer: true,
      },
      { text: 'No construction in sight, and no permit posted.', answer: false },
    ],
  },
]

export const TEMPLATES: Record<AgentName, Template[]> = {
  wayfare,
  rampfinder,
  pulse,
  shelfwatch,
  nora,
  soundmap,
  gentle,
  homelight,
}
