/** Defines a route of the control API as data. */
import type { Read, Shape } from './params.ts'
import type { Sandbox } from './sandbox.ts'
import type { Tx } from './tx.ts'

export interface ControlRoute {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  params: Shape
  run(sandbox: Sandbox, call: { params: never; ids: string[] }): unknown
}

export function control<S extends Shape>(
  method: ControlRoute['method'],
  path: string,
  params: S,
  run: (sandbox: Sandbox, call: { params: Read<S>; id: string }) => object | Promise<object>,
): ControlRoute {
  return {
    method,
    path,
    params,
    run: (sandbox, { params: given, ids: [id = ''] }) => run(sandbox, { params: given, id }),
  }
}

/** Most routes are one operation in one transaction. */
export const inTx =
  <Call>(work: (tx: Tx, call: Call) => object) =>
  (sandbox: Sandbox, call: Call): object =>
    sandbox.transaction((tx) => work(tx, call))
