/** Runs the example with the test API, on a click: the same requests as in the sample, shown as they happen. */
import { QUESTION, type Step, STEPS, WAIT_S } from '../example.ts'
import { openCalls, Refused } from './calls.ts'
import { make, seconds, slot } from './page.ts'

const PATIENCE_MS = 40_000
const money = (cents: number) => `$${(cents / 100).toFixed(2)}`

interface Task {
  id: string
  status: string
  timeline?: { event: string; worker_name?: string }[]
  proofs?: {
    text: string | null
    worker: { name: string }
    media: { kind: string; url: string }[]
  }[]
}

interface Approval {
  settlement: { commission_cents: number; workers: { net_cents: number }[] }
}

export function addExample(): void {
  const run = make('button', { type: 'button', class: 'button' }, 'Run it now')
  const note = make(
    'p',
    { class: 'note' },
    'This is a sample, shortened. Run it to see real responses.',
  )
  slot('controls').replaceChildren(run, note)
  // Not `disabled`, which would take the focus away.
  let isRunning = false
  run.addEventListener('click', () => {
    if (isRunning) return
    isRunning = true
    run.setAttribute('aria-disabled', 'true')
    void play(note).then((isDone) => {
      isRunning = false
      run.removeAttribute('aria-disabled')
      run.textContent = isDone ? 'Run it again' : 'Try again'
    })
  })
}

/** Returns whether it came to its end. */
async function play(note: HTMLElement): Promise<boolean> {
  const startedAt = performance.now()
  const calls = openCalls(slot('calls'))
  const done = (step: Step, words: string) => {
    const row = document.querySelector<HTMLElement>(`[data-step="${step}"]`)!
    row.dataset.state = 'done'
    row.querySelector('.time')!.textContent = seconds(performance.now() - startedAt)
    const next = STEPS[STEPS.indexOf(step) + 1]
    if (next) document.querySelector<HTMLElement>(`[data-step="${next}"]`)!.dataset.state = 'now'
    say(words)
  }
  reset()
  note.textContent = ''
  try {
    const { task } = await calls.post<{ task: Task }>('/verify', QUESTION)
    done('ask', 'Asked. The money is set aside.')

    const accepted = await changed(calls, task)
    const name =
      accepted.timeline?.findLast((entry) => entry.worker_name)?.worker_name ?? 'A worker'
    slot('worker').textContent = name
    done('accepted', `${name} takes the task.`)

    const proven = accepted.status === 'in_progress' ? await changed(calls, accepted) : accepted
    showProof(proven)
    done('proof', 'Proof received. Look at it, and approve it to pay the worker.')

    await pressed('Approve and pay')
    const { settlement } = await calls.post<Approval>(`/tasks/${task.id}/approve`)
    done('approve', 'Approved.')
    const net = money(settlement.workers.reduce((sum, { net_cents }) => sum + net_cents, 0))
    slot('net').textContent = net
    slot('fee').textContent = money(settlement.commission_cents)
    done('paid', `Done. The worker gets ${net}.`)
    note.replaceChildren(
      'Your test key works in the ',
      make('a', { href: '/docs/quickstart' }, 'docs'),
      ' in this window.',
    )
    return true
  } catch (error) {
    slot('approve').replaceChildren()
    say(
      error instanceof Refused ? error.message : 'Can’t reach the server. Try again in a moment.',
      'bad',
    )
    return false
  }
}

function reset(): void {
  for (const [i, row] of [...document.querySelectorAll<HTMLElement>('[data-step]')].entries()) {
    row.dataset.state = i === 0 ? 'now' : 'later'
    row.querySelector('.time')!.textContent = ''
  }
  slot('approve').replaceChildren()
  say('Asking…')
}

/** Waits until the status is another one. */
async function changed(calls: ReturnType<typeof openCalls>, { id, status }: Task): Promise<Task> {
  const end = performance.now() + PATIENCE_MS
  while (performance.now() < end) {
    const { task } = await calls.get<{ task: Task }>(`/tasks/${id}?wait=${WAIT_S}&media=url`)
    if (task.status !== status) return task
  }
  throw new Refused('The scripted worker is taking longer than usual. Try again in a minute.')
}

function showProof({ proofs }: Task): void {
  const proof = proofs?.[0]
  // Workers' text is untrusted: show it as text, never as HTML.
  slot('answer').textContent = `“${proof?.text ?? ''}”`
  const photo = proof?.media.find(({ kind }) => kind === 'photo')
  if (photo) (slot('photo') as HTMLImageElement).src = photo.url
}

function pressed(name: string): Promise<void> {
  const button = make('button', { type: 'button', class: 'button' }, name)
  slot('approve').replaceChildren(button)
  return new Promise((resolve) => {
    button.addEventListener('click', () => {
      // The focus must not be lost with the button.
      slot('controls').querySelector('button')!.focus()
      slot('approve').replaceChildren()
      resolve()
    })
  })
}

/** A live region announces it to screen readers. */
function say(words: string, kind: 'ok' | 'bad' = 'ok'): void {
  const status = slot('status')
  status.dataset.kind = kind
  status.textContent = words
}
