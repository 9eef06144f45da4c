/**
 * Every role, and nobody, with every operation of the desk and every shell command: each is open to exactly the roles
 * that its right names. Writes the statuses to `artifacts/desk-matrix.tsv`.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { deskOperations } from '../../src/desk-operations.ts'
import { buildDeskServer } from '../../src/http/desk-server.ts'
import { policies } from '../../src/http/limits.ts'
import type { AnyDeskOperation } from '../../src/kit/desk-operation.ts'
import { hasRight, RIGHTS, ROLES } from '../../src/kit/rights.ts'
import { COMMANDS } from '../../src/ops/commands.ts'
import { perform } from '../../src/ops/perform.ts'
import type { TextCommand } from '../../src/ops/text-command.ts'
import { marketplace } from '../harness.ts'
import { sessionFor, signIn } from './sign-in.ts'

const ARTIFACTS = path.join(import.meta.dirname, '../../../artifacts')
const market = await marketplace({ roles: ['api', 'desk'] })
const operators = Object.fromEntries(
  await Promise.all(ROLES.map(async (role) => [role, await signIn(market, role)] as const)),
)
const rows: string[] = []

type Answer = 'open' | 'not_signed_in' | 'missing_right'

describe('operations of the desk', () => {
  for (const operation of deskOperations) {
    const { method, path: route, right, name } = operation

    test(`${method} ${route} is open to ${openTo(right)}`, async () => {
      const given: Record<string, Answer> = {}
      const statuses: number[] = []
      for (const role of ['nobody', ...ROLES]) {
        const { status, answer } = await ask(operation, role)
        given[role] = answer
        statuses.push(status)
      }

      rows.push([method, route, name, right, ...statuses].join('\t'))
      assert.deepEqual(given, expected(right))
    })
  }

  test('each has a name and a path of its own, and declares a right that exists', () => {
    const places = deskOperations.map(({ method, path: route }) => `${method} ${route}`)
    const names = deskOperations.map(({ name }) => name)

    assert.equal(new Set(places).size, places.length)
    assert.equal(new Set(names).size, names.length)
    for (const { right, name } of deskOperations)
      assert(['anyone', 'session', ...Object.keys(RIGHTS)].includes(right), name)
  })

  test('without a session, only the doors that docs/security.md lists are open', () => {
    const open = deskOperations.filter(({ right }) => right === 'anyone')

    assert.deepEqual(open.map(({ name }) => name).toSorted(), [
      'beginInvitation',
      'beginOidc',
      'beginSignIn',
      'finishInvitation',
      'finishSignIn',
      'returnFromOidc',
      'signInByLink',
    ])
  })

  test('the public port serves none of them', async () => {
    for (const { method, path: route } of deskOperations) {
      const url = new URL(`/desk/api${route.replaceAll(/:\w+/g, 'x')}`, market.server.addresses.api)
      const response = await fetch(url, { method, headers: { origin: url.origin } })
      await response.body?.cancel()
      assert.equal(response.status, 404, url.pathname)
    }
  })

  test('the desk does not start with an operation that declares no right', () => {
    const [first] = deskOperations as [AnyDeskOperation]
    for (const right of [undefined, '', 'everyone', 'toString']) {
      const operations = [{ ...first, right } as AnyDeskOperation]

      assert.throws(() => build(operations), /declares no right/)
    }
    assert.doesNotThrow(() => build([first]))
  })

  test('an operation without the check would be found: as open to nobody, it answers everybody', async () => {
    const [listed] = deskOperations.filter(({ name }) => name === 'listOperators')
    const server = build([{ ...listed!, right: 'anyone' }])

    const { statusCode } = await server.inject({ url: '/desk/api/operators' })

    await server.close()
    assert.equal(statusCode, 200)
    assert.notDeepEqual(expected('anyone'), expected('staff'))
  })
})

describe('shell commands', () => {
  for (const command of COMMANDS)
    test(`ops ${command.name} is open to ${openTo(command.right)}`, async () => {
      const given: Record<string, boolean> = {}
      for (const role of ROLES) given[role] = await runs(command, role)

      const declared = Object.fromEntries(
        ROLES.map((role) => [role, hasRight(role, command.right)]),
      )
      rows.push(
        ['', `ops ${command.name}`, '', command.right, '', ...Object.values(given)].join('\t'),
      )
      assert.deepEqual(given, declared)
    })

  test('a command without a right is open to nobody', async () => {
    const { right: _, ...undeclared } = COMMANDS[0]!

    for (const role of ROLES) assert.equal(await runs(undeclared as TextCommand, role), false, role)
  })

  test('a refused command is in the audit log', async () => {
    await runs(COMMANDS.find(({ right }) => right === 'staff')!, 'viewer')

    const { body } = await operators.admin!.get('/audit-log?action=command.refused&limit=1')
    assert.equal(body.rows[0].operator.id, operators.viewer!.id)
  })
})

test('the matrix is kept with the other results', () => {
  mkdirSync(ARTIFACTS, { recursive: true })
  const head = ['method', 'path', 'name', 'right', 'nobody', ...ROLES].join('\t')
  writeFileSync(path.join(ARTIFACTS, 'desk-matrix.tsv'), `${[head, ...rows].join('\n')}\n`)
  assert.equal(rows.length, deskOperations.length + COMMANDS.length)
})

/** Sends a request with an impossible input: whoever has the right gets any other refusal, and nothing changes. */
async function ask({ method, path: route }: AnyDeskOperation, role: string) {
  // A session for each request: some operations end it.
  const operator = operators[role]
  const cookie = operator ? await sessionFor(market, operator.id) : ''
  const url = `${market.desk}/desk/api${route.replaceAll(/:\w+/g, 'x')}`
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { cookie, origin: market.desk, 'content-type': 'application/json' },
    // Not even JSON: rights come before the body is read.
    ...(method === 'GET' ? {} : { body: '{' }),
  })
  const text = await response.text()
  const { status } = response
  assert(status < 500, `${role} got ${status} from ${method} ${route}: ${text}`)
  const code = /"code":"(not_signed_in|missing_right)"/.exec(text)?.[1]
  assert.equal(code === 'not_signed_in', status === 401)
  return { status, answer: (code ?? 'open') as Answer }
}

function expected(right: string): Record<string, Answer> {
  const isOpen = right === 'anyone'
  return {
    nobody: isOpen ? 'open' : 'not_signed_in',
    ...Object.fromEntries(
      ROLES.map((role) => [
        role,
        isOpen || right === 'session' || hasRight(role, right as keyof typeof RIGHTS)
          ? 'open'
          : 'missing_right',
      ]),
    ),
  }
}

function openTo(right: string): string {
  if (right === 'anyone') return 'anyone'
  if (right === 'session') return 'every operator'
  return ROLES.filter((role) => hasRight(role, right as keyof typeof RIGHTS)).join(', ')
}

/** Whether a role gets to run the command, whose own work is left out. */
async function runs(command: TextCommand, role: (typeof ROLES)[number]): Promise<boolean> {
  let hasRun = false
  const harmless = {
    ...command,
    async run() {
      hasRun = true
      return { lines: [] }
    },
  }
  await perform(market.background, {
    command: harmless,
    words: [],
    operator: { id: operators[role]!.id, role },
  })
  return hasRun
}

function build(operations: AnyDeskOperation[]) {
  return buildDeskServer({
    ...market.background,
    db: market.server.db,
    limiter: undefined,
    policies: policies(),
    operations,
  })
}
