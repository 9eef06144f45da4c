/** Tests the CLI in test mode: every persona, the test clock, and playing the worker. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { marketplace } from '../../server/test/harness.ts'
import { openCli } from './run.ts'

const market = await marketplace({ roles: ['api', 'jobs'], clock: 'real' })
const LEGWORK_URL = market.server.addresses.api!

async function developer() {
  const agent = await market.agent()
  const cli = openCli({ LEGWORK_URL, LEGWORK_API_KEY: agent.test_api_key })
  return { ...cli, agent: agent.test }
}

/** The expected end of a task for each persona. */
interface Persona {
  ask?: string[]
  by: string
  status: string
  holds(task: any): void
}

const failing = (name: string) => (task: { proofs: { checks: { result: string }[] }[] }) =>
  assert.equal(
    task.proofs[0]!.checks.filter(({ result }) => result !== 'pass').length,
    1,
    `${name} has one check that does not pass`,
  )

const PERSONAS: Record<string, Persona> = {
  happy: {
    by: '10s',
    status: 'proof_submitted',
    holds: (task) => assert.match(task.proofs[0].worker.name, /^Sim /),
  },
  slow: {
    by: '3m',
    status: 'proof_submitted',
    holds(task) {
      const afterMs = Date.parse(task.timeline.at(-1).at) - Date.parse(task.created_at)
      assert.equal(Math.round(afterMs / 10_000), 15)
    },
  },
  nobody: {
    ask: ['--deadline', '2h'],
    by: '3h',
    status: 'expired',
    holds: (task) => assert.equal(task.assignments.length, 0),
  },
  blurry: { ask: ['--photo'], by: '10s', status: 'proof_submitted', holds: failing('blurry') },
  far: {
    ask: ['--photo', '--where', '53.598,9.723'],
    by: '10s',
    status: 'proof_submitted',
    holds: failing('far'),
  },
  late: { ask: ['--photo'], by: '10s', status: 'proof_submitted', holds: failing('late') },
  hand_back: {
    by: '1m',
    status: 'proof_submitted',
    holds(task) {
      const statuses = task.assignments.map(({ status }: { status: string }) => status)
      assert.deepEqual(statuses.toSorted(), ['released', 'submitted'])
    },
  },
  disagree: {
    ask: ['--people', '3'],
    by: '10s',
    status: 'proof_submitted',
    holds(task) {
      const answers = task.proofs.map(({ answer }: { answer: unknown }) => String(answer))
      assert.equal(new Set(answers).size, 2)
    },
  },
  appeal: {
    by: '10s',
    status: 'proof_submitted',
    holds: (task) => assert.equal(task.proofs.length, 1),
  },
  injection: {
    by: '10s',
    status: 'proof_submitted',
    holds: (task) => assert.match(task.proofs[0].text, /instructions/i),
  },
  me: {
    by: '10s',
    status: 'pending',
    holds: (task) => assert.equal(task.assignments.length, 0),
  },
}

describe('ask --sim', () => {
  for (const [persona, { ask = ['--text'], by, status, holds }] of Object.entries(PERSONAS))
    test(`${persona}: after ${by} the task is ${status}`, async () => {
      const { run, agent } = await developer()

      const asked = await run('ask', 'Is it open?', '--sim', persona, ...ask)
      await agent.post('/test/clock/advance', { by })
      const shown = await run('task', 'last', '--json')

      assert.deepEqual([asked.code, shown.code], [0, 0], asked.stderr)
      assert.equal(shown.objects[0]!.task.status, status)
      holds(shown.objects[0]!.task)
    })

  test('appeal: the worker contests the dispute', async () => {
    const { run } = await developer()
    // Long delays, so that nothing happens on its own while the commands run.
    const sim = JSON.stringify({ persona: 'appeal', accept_after_s: 600, proof_after_s: 600 })
    await run('ask', 'Is it open?', '--sim', sim, '--text')
    await run('clock', 'advance', '21m')

    const disputed = await run('dispute', 'last', '--reason', 'I can not read it')
    const moved = await run('clock', 'advance', '11m')
    const shown = await run('task', 'last', '--json')

    assert.equal(disputed.code, 0)
    assert.match(moved.stdout, /● at \d+ min {2}rehearsal\.appeal {2}task_/)
    const events = shown.objects[0]!.task.timeline.map(({ event }: { event: string }) => event)
    assert(events.includes('task.appealed'))
  })

  test('injection: the text is shown as a quote, under the name of the worker', async () => {
    const { run } = await developer()
    await run('ask', 'Is it open?', '--sim', 'injection', '--text')
    await run('clock', 'advance', '10s')

    const { stdout } = await run('proof', 'last')

    assert.match(stdout, /^ {2}Sim \w+: /m)
    assert(!stdout.includes('\u001B'))
  })

  test('--wait shows the scripted worker in real time', async () => {
    const { run } = await developer()
    const sim = JSON.stringify({
      persona: 'happy',
      accept_after_s: 0,
      proof_after_s: 1,
      answer: true,
    })

    const { code, stdout } = await run(
      'ask',
      'Is it open?',
      '--photo',
      '--sim',
      sim,
      '--wait',
      '1m',
    )

    assert.equal(code, 0)
    assert.match(stdout, /● Sim \w+ accepted .*● proof received .*Sim \w+: Yes\. I was there/s)
    assert.match(stdout, /proof: \.\/task_\w+-1\.jpg/)
  })

  test('exits with 1 when nobody came before the deadline, and with 2 for an unknown persona', async () => {
    const { run } = await developer()
    await run('ask', 'Is it open?', '--sim', 'nobody', '--deadline', '1h')
    await run('clock', 'advance', '2h')

    const ended = await run('task', 'last', '--wait')
    const unknown = await run('ask', 'Is it open?', '--sim', 'sleepy')

    assert.equal(ended.code, 1)
    assert.match(ended.stdout, /The deadline passed/)
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /happy/)
  })
})

describe('clock', () => {
  test('lists what is due, and fires it', async () => {
    const { run } = await developer()
    const sim = JSON.stringify({ persona: 'happy', accept_after_s: 600, proof_after_s: 600 })
    await run('ask', 'Is it open?', '--text', '--sim', sim)

    const before = await run('clock')
    const moved = await run('clock', 'advance', '25h')
    const after = await run('task', 'last', '--json')

    assert.match(before.stdout, /in \d+ min {2}rehearsal\.accept {2}task_/)
    assert.match(
      moved.stdout,
      /rehearsal\.accept .*rehearsal\.proof .*at 24 h \d+ min {2}tasks\.auto_approve /s,
    )
    assert.equal(after.objects[0]!.task.approved_by, 'auto')
  })

  test('exits with 2 for an invalid duration, and with 1 for a live key', async () => {
    const { run } = await developer()
    const live = await market.agent()
    const liveCli = openCli({ LEGWORK_URL, LEGWORK_API_KEY: live.api_key })

    const [wrong, refused] = await Promise.all([
      run('clock', 'advance', 'tomorrow'),
      liveCli.run('clock', 'advance', '1h'),
    ])

    assert.equal(wrong.code, 2)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /\(test_mode_only\)/)
  })
})

describe('trigger', () => {
  const EVENTS = [
    'task.accepted',
    'task.proof_submitted',
    'task.consensus_proof',
    'task.completed',
    'task.disputed',
    'task.dispute_resolved',
    'task.appealed',
    'task.released',
    'task.expired',
    'task.cancelled',
    'task.revision_requested',
    'task.approval_due',
  ]
  for (const type of EVENTS)
    test(`${type} is triggered, and the output says how`, async () => {
      const { run, agent } = await developer()

      const { code, objects, stderr } = await run('trigger', type, '--json')

      assert.deepEqual([code, stderr], [0, ''])
      const { event_id, task_id } = objects.at(-1)!
      const { events } = (await agent.get(`/events?task_id=${task_id}&type=${type}`)).body
      // Three workers prove a consensus task, so later events may reach the log after the command has read it.
      assert(events.some(({ id }: { id: string }) => id === event_id))
      assert(objects.some(({ says }) => String(says).includes(`posted ${task_id}`)))
    })

  test('says how to receive the event: with --events all if the agent is not subscribed', async () => {
    const { run } = await developer()

    const [chosen, other] = [
      await run('trigger', 'task.proof_submitted'),
      await run('trigger', 'task.cancelled'),
    ]

    assert.match(chosen.stdout, /first run: {2}legwork listen --forward-to \S+\n$/)
    assert.match(other.stdout, /isn’t subscribed to task\.cancelled\. .*\n.* --events all\n$/)
  })

  test('exits with 2 for an event that it cannot trigger, and for a live key', async () => {
    const { run } = await developer()
    const live = await market.agent()

    const [unknown, refused] = await Promise.all([
      run('trigger', 'payout.paid'),
      openCli({ LEGWORK_URL, LEGWORK_API_KEY: live.api_key }).run('trigger', 'task.completed'),
    ])

    assert.deepEqual([unknown.code, refused.code], [2, 2])
    assert.match(unknown.stderr, /Supported events: task\.accepted/)
    assert.equal((await live.get('/tasks')).body.total, 0)
  })
})

describe('sandbox work', () => {
  test('the caller is the worker: lists the task, accepts it, submits proof', async () => {
    const { run, folder } = await developer()
    const asked = await run('ask', 'Is it open?', '--photo', '--sim', 'me', '--json')
    await run('ask', 'For a script', '--text')
    const taskId = asked.objects[0]!.task.id as string

    const listed = await run('sandbox', 'work', '--list')
    const taken = await run('sandbox', 'work', '--accept', taskId)
    const sent = await run(
      'sandbox',
      'work',
      '--accept',
      taskId,
      '--answer',
      'yes',
      '--say',
      'Until 18:00',
    )
    const shown = await run('task', taskId)

    assert.match(listed.stdout, /In a browser: http\S+\/play#token=/)
    assert.match(listed.stdout, new RegExp(`1  ${taskId}  you get \\$4\\.10  photo  Is it open\\?`))
    assert.doesNotMatch(listed.stdout, /For a script/)
    assert.doesNotMatch(taken.stdout, /#token=/, 'the link is long, and was shown once')
    assert.match(taken.stdout, new RegExp(`Accepted ${taskId}; photo by `))
    assert.match(sent.stdout, /Sent\. The task is proof_submitted\./)
    assert.match(shown.stdout, /: Yes\. Until 18:00\n/)
    assert(existsSync(path.join(folder, '.legwork/worker.json')))
  })

  test('releases a task, switches workers with --new, and reports “not possible”', async () => {
    const { run } = await developer()
    const asked = await run('ask', 'Is it open?', '--text', '--sim', 'me', '--json')
    const taskId = asked.objects[0]!.task.id as string
    await run('sandbox', 'work', '--accept', taskId)

    const back = await run('sandbox', 'work', '--hand-back', taskId)
    const other = await run(
      'sandbox',
      'work',
      '--new',
      '--accept',
      taskId,
      '--not-possible',
      '--say',
      'The street is closed',
      '--json',
    )

    assert.match(back.stdout, new RegExp(`Handed ${taskId} back`))
    assert.equal(other.objects.at(-1)!.proof.outcome, 'not_possible')
  })
})
