/**
 * The control API, `/_sandbox/*`: acts for people and banks, advances time, and injects faults. The operator's
 * dashboard uses it as well, so it has no rules of its own.
 */
import { timingSafeEqual } from 'node:crypto'
import { machineRoutes } from './control-machine.ts'
import { peopleRoutes } from './control-people.ts'
import { ApiError } from './errors.ts'
import { addFault, type FaultParams, faultParams } from './faults.ts'
import { isRecord, parseForm, readParams } from './params.ts'
import { routeFinder } from './route.ts'
import type { Sandbox } from './sandbox.ts'

const findRoute = routeFinder([...peopleRoutes, ...machineRoutes])

export interface ControlAnswer {
  status: number
  body: unknown
}

/** Runs one request to the control API, whatever its origin. `path` excludes `/_sandbox/` and includes the query. */
export async function runControl(
  sandbox: Sandbox,
  method: string,
  path: string,
  body: unknown = {},
): Promise<ControlAnswer> {
  try {
    const [address = '', query = ''] = path.replace(/^\//, '').split('?')
    const found = findRoute(method, address)
    if (found === undefined)
      throw new ApiError(404, {
        type: 'invalid_request_error',
        message: `The control API has no ${method} ${address}; sandbox/README.md lists the available endpoints.`,
      })
    // Several faults can be added at once.
    if (address === 'faults' && Array.isArray(body)) return addFaults(sandbox, body)
    const given = method === 'GET' ? parseForm(query) : body
    if (!isRecord(given))
      throw new ApiError(400, {
        type: 'invalid_request_error',
        message: 'The body must be a JSON object.',
      })
    const params = readParams(found.route.params, given)
    return {
      status: 200,
      body: await found.route.run(sandbox, { params: params as never, ids: found.ids }),
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, body: { error: error.body } }
  }
}

function addFaults(sandbox: Sandbox, given: unknown[]): ControlAnswer {
  const read = given.map((one) => readParams(faultParams, isRecord(one) ? one : {}) as FaultParams)
  const added = sandbox.transaction((tx) => read.map((one) => addFault(tx.store, one)))
  return { status: 200, body: { data: added } }
}

/** Compared in constant time, because the token is a secret. */
export function opensControl(sandbox: Sandbox, authorization: string | undefined): boolean {
  const given = Buffer.from(authorization ?? '')
  const expected = Buffer.from(`Bearer ${sandbox.token}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
