/**
 * The groups of routes that have an objective of their own (docs/slo.md); `deploy/prometheus/rules.yaml` measures the
 * same. A response counts as slow if it takes longer than the objective says.
 */
interface RouteGroup {
  title: string
  method: string | null
  routes: RegExp | null
  slowMs: number
}

export const ROUTE_GROUPS = {
  create: {
    title: 'Create a task',
    method: 'POST',
    routes: /^\/(tasks|verify|call|gut-check|field|escalate|vibe)$/,
    slowMs: 500,
  },
  decide: {
    title: 'Approve, dispute, ask for a revision, cancel',
    method: 'POST',
    routes: /^\/tasks\/:id\/(approve|dispute|request-revision|cancel)$/,
    slowMs: 500,
  },
  feed: {
    title: 'Workers’ feed',
    method: 'GET',
    routes: /^\/worker\/feed(\/:id)?$/,
    slowMs: 500,
  },
  proof: {
    title: 'Send a proof',
    method: 'POST',
    routes: /^\/worker\/tasks\/:id\/proof$/,
    slowMs: 10_000,
  },
  other: { title: 'All other requests', method: null, routes: null, slowMs: 2_500 },
} as const satisfies Record<string, RouteGroup>
export type RouteGroupName = keyof typeof ROUTE_GROUPS

const GROUPS = Object.entries(ROUTE_GROUPS) as [RouteGroupName, RouteGroup][]

export const routeGroupOf = (method: string, route: string): RouteGroupName =>
  GROUPS.find(([, group]) => group.method === method && group.routes?.test(route))?.[0] ?? 'other'
