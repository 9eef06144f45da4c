/** Every command that works in both modes, run as a process against a real server. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { marketplace, PHOTO, type TestWorker } from '../../server/test/harness.ts'
import { openReceiver } from '../../server/test/receiver.ts'
import { openCli } from './run.ts'

const market = await marketplace({ roles: ['api', 'jobs'], clock: 'real', processor: true })
const LEGWORK_URL = market.server.addresses.api!

async function developer({ balanceCents = 100_000 } = {}) {
  const agent = await market.agent({ balanceCents, freeTasks: false })
  return { agent, ...openCli({ LEGWORK_URL, LEGWORK_API_KEY: agent.api_key }) }
}

async function answer(worker: TestWorker, taskId: string, proof: object): Promise<void> {
  for (const [path, body] of [
    ['accept', undefined],
    ['proof', proof],
  ] as const) {
    const reply = await worker.post(`/worker/tasks/${taskId}/${path}`, body)
    assert(reply.status < 300, reply.text)
  }
}

describe('ask', () => {
  test('posts a task, prints the locked amount and the next command', async () => {
    const { run, agent } = await developer()

    const { code, stdout, stderr } = await run(
      'ask',
      'Is the bakery open?',
      '--photo',
      '--where',
      'Moorweg 12, Wedel',
      '--budget',
      '6.50',
      '--deadline',
      '2h',
    )

    assert.deepEqual([code, stderr], [0, ''])
    const { tasks } = (await agent.get('/tasks')).body
    assert.equal(tasks.length, 1)
    const [task] = tasks
    assert.deepEqual(
      [task.type, task.budget_cents, task.proof_required, task.location],
      ['verification', 650, 'photo', task.location],
    )
    const page = `${new URL(LEGWORK_URL).origin}/console/tasks/${task.id}`
    assert(stdout.startsWith(`  ${task.id}  $6.50 locked\n  ${page}\n`), stdout)
    assert.match(stdout, new RegExp(`legwork task ${task.id} --wait`))
    assert(!stdout.includes('\u001B'), 'no colors without a terminal')
  })

  test('every type calls its endpoint with the default budget', async () => {
    const { run } = await developer()
    const usual = {
      voice_proxy: 1000,
      gut_check: 300,
      field_mission: 1500,
      empathy_escalation: 2000,
      vibe_reader: 800,
      custom: 1000,
    }

    const made = await Promise.all(
      Object.keys(usual).map((type) => run('ask', 'Do it', '--type', type, '--json')),
    )

    assert.deepEqual(
      made.map(({ objects }) => [objects[0]?.task.type, objects[0]?.task.budget_cents]),
      Object.entries(usual),
    )
  })

  test('a type can be named like its shorthand, and the task has the type', async () => {
    const { run } = await developer()

    const asked = await run('ask', 'Do it', '--type', 'field', '--json')
    const quoted = await run('quote', '--type', 'gut-check', '--json')

    assert.equal(asked.objects[0]?.task.type, 'field_mission')
    assert.equal(quoted.objects[0]?.quote.type, 'gut_check')
  })

  test('--wait reports changes, shows the answer, saves the photo, and exits with 0', async () => {
    const { start, agent, folder } = await developer()
    const worker = await market.worker({ name: 'Ada' })
    const asking = start('ask', 'Is it open?', '--wait')
    await asking.until(() => asking.said.stdout.includes('looking for a person'))
    const taskId = /task_\w+/.exec(asking.said.stdout)![0]

    await answer(worker, taskId, {
      text: 'The sign says\u001B[2J so\u202E.',
      answer: true,
      photos: [PHOTO],
    })
    const { code, stdout } = await asking.ended

    assert.equal(code, 0)
    assert.match(stdout, /● .+ accepted \(\d+ s\)\n {2}● proof received \(\d+ s\)\n/)
    assert.match(stdout, /Ada: Yes\. The sign says so\.\n/, 'terminal escapes are removed')
    assert.match(stdout, new RegExp(`proof: \\./${taskId}-1\\.\\w+`))
    assert.match(stdout, new RegExp(`Approve with:  legwork approve ${taskId}\n`))
    assert(readdirSync(folder).some((file) => file.startsWith(`${taskId}-1.`)))
    assert.equal((await agent.get(`/tasks/${taskId}`)).body.task.status, 'proof_submitted')
  })

  test('exits with 3 and the id at the timeout; task --wait continues', async () => {
    const { run, start } = await developer()
    const worker = await market.worker()

    const asked = await run('ask', 'Is it open?', '--text', '--wait', '1s', '--json')
    const [created] = asked.objects
    const waiting = start('task', created!.task.id, '--wait', '1m')
    await answer(worker, created!.task.id, { text: 'Yes', answer: true })
    const waited = await waiting.ended

    assert.equal(asked.code, 3)
    assert.deepEqual(asked.objects.at(-1), { type: 'still_working', task_id: created!.task.id })
    assert.equal(waited.code, 0)
    assert.match(waited.stdout, /proof received/)
  })

  test('exits with 1 when the task ends without proof', async () => {
    const { start, agent } = await developer()
    const asking = start('ask', 'Is it open?', '--wait', '1m', '--json')
    await asking.until(() => asking.objects().length > 1)

    await agent.post(`/tasks/${asking.objects()[0]!.task.id}/cancel`)
    const { code, objects } = await asking.ended

    assert.equal(code, 1)
    assert.equal(objects.at(-1)!.task.status, 'cancelled')
  })

  test('exits with 4 without funds, and prints the missing amount and the request on stderr', async () => {
    const { run } = await developer({ balanceCents: 0 })

    const [asPeople, asScript] = await Promise.all([run('ask', 'Hm?'), run('ask', 'Hm?', '--json')])

    assert.deepEqual([asPeople.code, asPeople.stdout], [4, ''])
    assert.match(asPeople.stderr, /Insufficient funds \(insufficient_funds\)\n/)
    assert.match(asPeople.stderr, /This needs \$5\.00, and you have \$0\.00\.\n/)
    assert.match(asPeople.stderr, /Next: legwork deposit 5\.00\n/)
    assert.doesNotMatch(asPeople.stderr, /deposit_url/)
    assert.match(asPeople.stderr, /Request: req_\w+\n/)
    assert.deepEqual([asScript.code, asScript.stdout], [4, ''])
    const told = JSON.parse(asScript.stderr)
    assert.deepEqual(
      [told.code, told.balance_cents, told.required_cents, told.exit_code],
      ['insufficient_funds', 0, 500, 4],
    )
  })

  test('lists every field that the server refuses, and the range of --wait', async () => {
    const { run } = await developer()

    const [fields, wait] = await Promise.all([
      run('ask', 'x'.repeat(20_000), '--scale', 'x'.repeat(2000), '--type', 'gut_check'),
      run('ask', 'Hm?', '--wait', '45'),
    ])

    assert.match(fields.stderr, /\(invalid_request\)\n {2}\S+ .+\n/)
    assert.doesNotMatch(fields.stderr, /details lists/)
    assert.match(wait.stderr, /--wait 45 is not a valid duration\n {2}Use --wait 45s, 30m or 2h\./)
  })

  for (const [why, args] of Object.entries({
    'an ambiguous amount': ['ask', 'Hm?', '--budget', '500'],
    'an unknown type': ['ask', 'Hm?', '--type', 'errand'],
    'two kinds of proof': ['ask', 'Hm?', '--photo', '--video'],
    'no question': ['ask'],
    'an unknown option': ['ask', 'Hm?', '--colour', 'red'],
    'an invalid duration for --wait': ['ask', 'Hm?', '--wait', '45'],
    'a duration that would be taken for the question': ['ask', '--wait', '45'],
    'a value that only the server can refuse': ['ask', 'Hm?', '--deadline', 'tomorrow'],
    'an unknown command': ['aks'],
    'an unknown help page': ['docs', 'nonsense'],
    'no key': ['wallet'],
  }))
    test(`exits with 2 for ${why}`, async () => {
      const { agent, run } = await developer()
      const cli = why === 'no key' ? openCli({ LEGWORK_URL }) : { run }

      const { code, stdout, stderr } = await cli.run(...args)

      assert.deepEqual([code, stdout], [2, ''])
      assert(stderr.split('\n').length > 1, `the error says what to do: ${stderr}`)
      assert.equal((await agent.get('/tasks')).body.total, 0)
    })
})

describe('tasks, task, proof', () => {
  test('list, show and save the tasks of the agent', async () => {
    const { run, agent, folder } = await developer()
    const task = await market.taskIn(agent, 'proof_submitted', { proof_required: 'photo' })
    await market.taskIn(agent, 'cancelled')

    const [all, some, one, proof] = await Promise.all([
      run('tasks'),
      run('tasks', '--status', 'proof_submitted', '--json'),
      run('task', task.id),
      run('proof', task.id, '--out', 'proofs'),
    ])

    assert.deepEqual(
      [all, some, one, proof].map(({ code, stderr }) => [code, stderr]),
      Array.from({ length: 4 }, () => [0, '']),
    )
    assert.match(all.stdout, new RegExp(`${task.id} {2}proof_submitted +\\$25\\.00`))
    assert.equal(all.stdout.match(/^ {2}task_/gm)!.length, 2)
    assert.deepEqual(
      some.objects.map((object) => object.task.id),
      [task.id],
    )
    assert.match(one.stdout, /● .* created\n.*● .* accepted\n.*● .* proof_submitted\n/s)
    assert.match(proof.stdout, /: Done\n/)
    assert(existsSync(path.join(folder, 'proofs')))
    assert(
      readdirSync(path.join(folder, 'proofs')).some((file) => file.startsWith(`${task.id}-1.`)),
    )
  })

  test('exit with 1 for an unknown task', async () => {
    const { run } = await developer()

    const { code, stderr } = await run('task', 'task_nope')

    assert.equal(code, 1)
    assert.match(
      stderr,
      /\(task_not_found\)\n {2}Live and test keys see .*\n {2}Next: legwork tasks\n/,
    )
  })
})

describe('approve, dispute, cancel', () => {
  test('approve last pays the worker of the latest task of this folder', async () => {
    const { run, agent } = await developer()
    const worker = await market.worker()
    const asked = await run('ask', 'Is it open?', '--text', '--json')
    const taskId = asked.objects[0]!.task.id as string
    await answer(worker, taskId, { text: 'Yes', answer: true })

    const { code, stdout } = await run('approve', 'last', '--tip', '1.00')

    assert.equal(code, 0)
    assert.match(
      stdout,
      new RegExp(
        `Approved ${taskId}: \\$4\\.10 to the worker · \\$0\\.90 commission · \\$1\\.00 tip`,
      ),
    )
    assert.equal((await agent.get(`/tasks/${taskId}`)).body.task.status, 'completed')
    assert.equal(await market.payable(worker.id), 510)
  })

  test('approve --override settles a disagreement; without it approve exits with 1', async () => {
    const { run, agent } = await developer()
    const asked = await run('ask', 'Open?', '--text', '--people', '2', '--json')
    const taskId = asked.objects[0]!.task.id as string
    await answer(await market.worker(), taskId, { text: 'Yes', answer: true })
    await answer(await market.worker(), taskId, { text: 'No', answer: false })

    const shown = await run('task', taskId)
    const refused = await run('approve', taskId)
    const approved = await run('approve', taskId, '--override', 'true', '--json')

    assert.match(shown.stdout, /2 of 2 answers, and they disagree/)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /\(consensus_conflict\)/)
    assert.deepEqual([approved.code, approved.objects[0]!.type], [0, 'approved'])
    assert.equal((await agent.get(`/tasks/${taskId}`)).body.task.consensus.result, true)
  })

  test('dispute refunds the money and requires a reason', async () => {
    const { run, agent } = await developer()
    const task = await market.taskIn(agent, 'proof_submitted')

    const without = await run('dispute', task.id)
    const disputed = await run('dispute', task.id, '--reason', 'Two lines are not readable')
    const late = await run('cancel', task.id)

    assert.equal(without.code, 2)
    assert.match(late.stderr, /\(invalid_state\)\n {2}The task is disputed\.\n/)
    assert.equal(disputed.code, 0)
    assert.match(disputed.stdout, /Disputed task_\w+\. \$25\.00 refunded/)
    assert.equal(await market.balance(agent.id), 100_000)
  })

  test('cancel cancels a task', async () => {
    const { run, agent } = await developer()
    const task = await market.taskIn(agent, 'pending')

    const { code, objects } = await run('cancel', task.id, '--json')

    assert.deepEqual([code, objects[0]!.refunded_cents], [0, 2500])
    assert.equal((await agent.get(`/tasks/${task.id}`)).body.task.status, 'cancelled')
  })
})

describe('wallet, deposit', () => {
  test('show the balance and a payment link', async () => {
    const { run, agent } = await developer({ balanceCents: 200_000 })
    const play = openCli({ LEGWORK_URL, LEGWORK_API_KEY: agent.test_api_key })
    await market.taskIn(agent, 'pending')

    const [wallet, deposit, tooLittle, added] = await Promise.all([
      run('wallet'),
      run('deposit', '20.00', '--json'),
      run('deposit', '1.00'),
      play.run('deposit', '20.00'),
    ])

    assert.match(wallet.stdout, /^ {2}\$1,975\.00 available · 0 free tasks left\n/)
    assert.match(wallet.stdout, /escrow_lock +-\$25\.00 {2}task_/)
    assert.equal(deposit.code, 0)
    assert.match(deposit.objects[0]!.checkout_url as string, /^http/)
    assert.equal(tooLittle.code, 2)
    assert.equal(
      added.stdout,
      '  $20.00 of play money added.\n  See your balance:  legwork wallet\n',
    )
  })
})

describe('events', () => {
  test('lists the latest events, and redelivers one', async (t) => {
    const receiver = await openReceiver(t)
    const { run, agent } = await developer()
    await agent.patch('/agents/me', { webhook_url: receiver.url })
    const task = await market.taskIn(agent, 'completed')
    while (receiver.received.length < 2) await new Promise((resolve) => setTimeout(resolve, 20))

    const listed = await run('events', '--task', task.id, '--json')
    const last = listed.objects.at(-1)!
    const resent = await run('events', 'resend', last.id as string)
    while (receiver.received.length < 3) await new Promise((resolve) => setTimeout(resolve, 20))

    assert.deepEqual(
      listed.objects.map((object) => object.event_type),
      ['task.accepted', 'task.proof_submitted', 'task.completed'],
    )
    assert.equal(resent.code, 0)
    assert.match(resent.stdout, new RegExp(`Resending ${last.id} to ${receiver.url} now`))
    assert.equal(receiver.received.at(-1)!.body.id, last.id)
  })
})

describe('every command', () => {
  test('prints only objects on stdout with --json', async () => {
    const { run, agent } = await developer()
    const task = await market.taskIn(agent, 'proof_submitted')

    const all = await Promise.all(
      [
        ['tasks'],
        ['task', task.id],
        ['proof', task.id],
        ['wallet'],
        ['events'],
        ['docs', 'webhooks'],
        ['help'],
        ['--version'],
      ].map((args) => run(...args, '--json')),
    )

    for (const { code, stdout, stderr } of all) {
      assert.deepEqual([code, stderr], [0, ''])
      const lines = stdout.trimEnd().split('\n')
      assert(lines.every((line) => typeof JSON.parse(line).type === 'string', stdout))
    }
  })

  test('is listed in help and has its own help page', async () => {
    const { run } = await developer()
    const folder = path.join(import.meta.dirname, '../src/commands')
    const names = readdirSync(folder).map((file) => path.basename(file, '.ts'))

    const { stdout } = await run('help')
    const ask = await run('ask', '--help')

    for (const name of names) assert.match(stdout, new RegExp(`^ {2}${name} +[A-Z]`, 'm'))
    assert.match(ask.stdout, /Usage: legwork ask/)
    assert.equal((await run('help', 'nothing')).code, 2)
  })

  test('is described in README.md of the package', () => {
    const readme = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8')
    const folder = path.join(import.meta.dirname, '../src/commands')

    for (const file of readdirSync(folder))
      assert.match(readme, new RegExp(`\`(?:legwork )?${path.basename(file, '.ts')}\\b`), file)
  })

  test('does not send the key of the environment to a URL from a file', async () => {
    const url = 'LEGWORK_URL=https://elsewhere.example/api/v1'
    const [shell, file] = [openCli({ LEGWORK_API_KEY: 'lw_live_x' }), openCli({})]
    writeFileSync(path.join(shell.folder, '.env.local'), `${url}\n`)
    writeFileSync(path.join(file.folder, '.env.local'), `LEGWORK_API_KEY=lw_live_x\n${url}\n`)

    const [fromShell, fromFile] = await Promise.all([shell.run('docs'), file.run('docs')])

    assert.equal(fromShell.stdout, '  https://legwork.example/docs\n')
    assert.equal(fromFile.stdout, '  https://elsewhere.example/docs\n')
  })

  test('exits with 1 and the URL when the server is unreachable', async () => {
    const { run } = openCli({
      LEGWORK_URL: 'http://127.0.0.1:9/api/v1',
      LEGWORK_API_KEY: 'lw_test_x',
    })

    const { code, stdout, stderr } = await run('wallet')

    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /Could not reach http:\/\/127\.0\.0\.1:9\//)
  })
})
