/** Defines a route of the API as data: method, path, parameters and handler. */
import { decodeText, list, type Read, type Shape, text } from './params.ts'
import type { Tx } from './tx.ts'

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** `/v1/transfers/:id/reversals`; path parameters are passed on in order. */
  path: string
  params: Shape
  run(tx: Tx, call: { params: Record<string, unknown>; ids: string[]; path: string }): object
}

const EXPAND = { expand: list(text()) }

/** Infers the parameter types for `run`. Every version 1 route supports `expand`. */
export function route<S extends Shape>(declared: {
  method: Route['method']
  path: string
  params: S
  run(tx: Tx, call: { params: Read<S>; ids: string[]; path: string }): object
}): Route {
  const params = declared.path.startsWith('/v1/')
    ? { ...EXPAND, ...declared.params }
    : declared.params
  return { ...declared, params } as unknown as Route
}

/** Finds a route by method and path, and returns the path parameters. Works with any table of routes. */
export function routeFinder<R extends { method: string; path: string }>(
  routes: readonly R[],
): (method: string, path: string) => { route: R; ids: string[] } | undefined {
  // Only routes with the same method and number of path segments can match.
  const shapeOf = (method: string, path: string) => `${method} ${path.split('/').length}`
  const byShape = Map.groupBy(routes, ({ method, path }) => shapeOf(method, path))
  const prepared = new Map(routes.map((one) => [one, one.path.split('/')]))

  return (method, path) => {
    const given = path.split('/')
    for (const found of byShape.get(shapeOf(method, path)) ?? []) {
      const steps = prepared.get(found)!
      const isMeant = steps.every((step, index) =>
        step.startsWith(':') ? given[index] !== '' : step === given[index],
      )
      if (!isMeant) continue
      const ids = given.filter((_, index) => steps[index]!.startsWith(':')).map(decodeText)
      return { route: found, ids }
    }
    return undefined
  }
}
