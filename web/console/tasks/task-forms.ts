/** The form of each task type as data, and the request body that it produces. Pure rules. */
import type { Task, TaskType } from '../words.ts'

export interface FormField {
  name: string
  label: string
  hint?: string
  placeholder?: string
  rows?: number
  isRequired?: boolean
  /** Each line becomes one item of a list. */
  isLines?: boolean
}

export interface TaskForm {
  type: TaskType
  path: '/verify' | '/call' | '/gut-check' | '/field' | '/escalate' | '/vibe' | '/tasks'
  says: string
  budgetCents: number
  proof: Task['proof_required']
  urgency: Task['urgency']
  fields: FormField[]
}

const PLACE: FormField = {
  name: 'location',
  label: 'Where',
  placeholder: 'Moorweg 12, Wedel',
  hint: 'An address or a city. Workers see only the area until they accept.',
}
const QUESTION: FormField = {
  name: 'question',
  label: 'Question',
  rows: 3,
  isRequired: true,
}
const SCALE: FormField = {
  name: 'scale',
  label: 'Scale',
  placeholder: '1-10',
  hint: 'Limits answers to whole numbers in this range. Use 0.0-1.0 for decimals.',
}

export const FORMS: TaskForm[] = [
  {
    type: 'verification',
    path: '/verify',
    says: 'Someone goes there, checks, and answers yes or no with a photo.',
    budgetCents: 500,
    proof: 'photo',
    urgency: 'standard',
    fields: [{ ...QUESTION, placeholder: 'Is the bakery open right now?' }, PLACE],
  },
  {
    type: 'voice_proxy',
    path: '/call',
    says: 'Someone makes a phone call and writes down what was said.',
    budgetCents: 1000,
    proof: 'text',
    urgency: 'standard',
    fields: [
      {
        name: 'description',
        label: 'What to find out',
        placeholder: 'Are you open on Saturday?',
        rows: 3,
        isRequired: true,
      },
      { name: 'number', label: 'Phone number', placeholder: '+49 4103 555 0123' },
      { name: 'script', label: 'What to say', rows: 3 },
    ],
  },
  {
    type: 'gut_check',
    path: '/gut-check',
    says: 'People give their first impression of something.',
    budgetCents: 300,
    proof: 'text',
    urgency: 'standard',
    fields: [
      {
        name: 'content',
        label: 'Content to judge',
        placeholder: 'Fresh bread, honest prices',
        rows: 4,
        isRequired: true,
      },
      { ...QUESTION, isRequired: false, placeholder: 'How trustworthy does this sound?' },
      SCALE,
    ],
  },
  {
    type: 'field_mission',
    path: '/field',
    says: 'Someone visits a place and sends photos of what is there.',
    budgetCents: 1500,
    proof: 'photo',
    urgency: 'standard',
    fields: [
      {
        name: 'mission',
        label: 'Mission',
        placeholder: 'Photograph the price of oat milk',
        rows: 4,
        isRequired: true,
      },
      PLACE,
      { name: 'checklist', label: 'Checklist', hint: 'One step per line.', rows: 4, isLines: true },
    ],
  },
  {
    type: 'empathy_escalation',
    path: '/escalate',
    says: 'A person talks to someone when a machine shouldn’t.',
    budgetCents: 2000,
    proof: 'text',
    urgency: 'urgent',
    fields: [
      {
        name: 'situation',
        label: 'Situation',
        placeholder: 'A customer’s order was lost twice, and she is upset.',
        rows: 4,
        isRequired: true,
      },
      { name: 'person.name', label: 'Person to contact' },
      { name: 'person.contact', label: 'Phone number or address' },
      { name: 'goal', label: 'Goal', rows: 2 },
      { name: 'tone', label: 'Tone', placeholder: 'warm, unhurried' },
    ],
  },
  {
    type: 'vibe_reader',
    path: '/vibe',
    says: 'People describe the mood of a place, a page or a text.',
    budgetCents: 800,
    proof: 'text',
    urgency: 'standard',
    fields: [
      { ...PLACE, hint: 'Enter a place, a page or a text. One of the three is enough.' },
      { name: 'url', label: 'Page', placeholder: 'https://' },
      { name: 'content', label: 'Text', rows: 3 },
      { ...QUESTION, isRequired: false },
      SCALE,
    ],
  },
  {
    type: 'custom',
    path: '/tasks',
    says: 'Anything else a person can do.',
    budgetCents: 500,
    proof: 'text',
    urgency: 'standard',
    fields: [
      {
        name: 'description',
        label: 'What to do',
        placeholder: 'Check whether the notice is still on the door.',
        rows: 5,
        isRequired: true,
      },
      { name: 'title', label: 'Title' },
      PLACE,
    ],
  },
]

export interface Chosen {
  values: Record<string, string>
  budgetCents: number
  people: number
  proof: Task['proof_required']
  urgency: Task['urgency']
  deadline: string
  /** Test mode only. */
  persona?: string
}

/** Omits values that equal the endpoint's defaults, which keeps the sample short. */
export function bodyOf(form: TaskForm, chosen: Chosen): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const { name, isLines } of form.fields) {
    const text = (chosen.values[name] ?? '').trim()
    if (text === '') continue
    const value = isLines
      ? text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
      : text
    const [first, second] = name.split('.') as [string, string?]
    if (second === undefined) body[first] = value
    else body[first] = { ...(body[first] as object | undefined), [second]: value }
  }
  const isShort = form.path !== '/tasks'
  if (!isShort || chosen.budgetCents !== form.budgetCents) body.budget_cents = chosen.budgetCents
  if (chosen.proof !== form.proof) body[isShort ? 'proof' : 'proof_required'] = chosen.proof
  if (chosen.people > 1) body[isShort ? 'consensus' : 'consensus_count'] = chosen.people
  if (chosen.urgency !== form.urgency) body.urgency = chosen.urgency
  if (chosen.deadline.trim() !== '') body.deadline = chosen.deadline.trim()
  if (chosen.persona !== undefined) body.context = { sim: chosen.persona }
  return body
}

/**
 * Fills empty required fields with their placeholders, and in an untouched form also the place, so that the sample is a
 * valid call.
 */
export function exampleOf(form: TaskForm, values: Record<string, string>): Record<string, string> {
  const isEmpty = (name: string) => (values[name] ?? '').trim() === ''
  const isUntouched = form.fields.every(({ name }) => isEmpty(name))
  const proposed = form.fields.filter(
    ({ name, isRequired }) => isEmpty(name) && (isRequired || (isUntouched && name === PLACE.name)),
  )
  return {
    ...values,
    ...Object.fromEntries(
      proposed.map(({ name, label, placeholder = label }) => [name, placeholder]),
    ),
  }
}

/** The fields that are required and empty. */
export const missingIn = (form: TaskForm, values: Record<string, string>): string[] =>
  form.fields
    .filter(({ name, isRequired }) => isRequired && (values[name] ?? '').trim() === '')
    .map(({ name }) => name)
