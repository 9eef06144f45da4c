/**
 * The example on the front page: what it asks, and a written sample of a run. The page shows the sample until the
 * visitor runs it, and always without JavaScript.
 */

/** One call in the panel beside the example. */
export interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: object
  status: number
  answer: object
}

/** The body of `POST /verify`. A scripted worker takes seconds, where a person takes minutes. */
export const QUESTION = {
  question: 'Is the bakery at Moorweg 12 open?',
  location: 'Moorweg 12, Wedel',
  proof: 'photo',
  budget_cents: 500,
  context: { sim: { persona: 'happy', accept_after_s: 1, proof_after_s: 2 } },
}

/** How many seconds one request waits for a change. */
export const WAIT_S = 10

export const STEPS = ['ask', 'accepted', 'proof', 'approve', 'paid'] as const
export type Step = (typeof STEPS)[number]

/** The panel shows ids shortened, because in full they take two lines. */
export const shortened = (path: string) => path.replace(/(task_\w{4})\w+/, '$1…')

const TASK = 'task_01m7fh382revhrpf3ec4gb30ke'
const WORKER = 'worker_01m7fh382rfysrpf3ebybs14fx'

/** Shortened to the fields that the example uses. */
export const SAMPLE: Call[] = [
  {
    method: 'POST',
    path: '/test/agents',
    body: {},
    status: 201,
    answer: { agent: { name: 'Test agent', test_api_key: 'lw_test_…', free_tasks_remaining: 3 } },
  },
  {
    method: 'POST',
    path: '/verify',
    body: QUESTION,
    status: 201,
    answer: { task: { id: TASK, status: 'pending', budget_cents: 500, escrow_cents: 500 } },
  },
  {
    method: 'GET',
    path: `/tasks/${TASK}?wait=${WAIT_S}&media=url`,
    status: 200,
    answer: { task: { status: 'in_progress', timeline: [{ worker_name: 'Sim Ada' }] } },
  },
  {
    method: 'GET',
    path: `/tasks/${TASK}?wait=${WAIT_S}&media=url`,
    status: 200,
    answer: {
      task: {
        status: 'proof_submitted',
        proofs: [
          {
            text: 'Yes. I was there, and all is as you asked.',
            answer: true,
            checks: [{ name: 'photo_quality', result: 'pass' }],
            untrusted: true,
          },
        ],
      },
    },
  },
  {
    method: 'POST',
    path: `/tasks/${TASK}/approve`,
    status: 200,
    answer: {
      task: { status: 'completed' },
      settlement: {
        gross_cents: 500,
        commission_cents: 90,
        workers: [{ worker_id: WORKER, net_cents: 410 }],
        refunded_cents: 0,
      },
    },
  },
]
