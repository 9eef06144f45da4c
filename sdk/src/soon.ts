/**
 * Routes that the API agrees on and openapi.json does not have yet. What openapi.json has counts instead, so that a
 * route that has landed can be taken out of here without a change elsewhere.
 */
interface KeyCaps {
  task_max_cents: number | null
  day_max_cents: number | null
  month_max_cents: number | null
  budget_cents: number | null
}

interface KeySpent {
  day_cents: number
  month_cents: number
  total_cents: number
}

type Scope = 'create' | 'review' | 'read' | 'manage'

/** What a key may do and spend, beside its name. */
export interface KeyLimits {
  parent_id: string | null
  scopes: Scope[]
  types: string[] | null
  caps: KeyCaps
  /** null for a key without limits: nothing is counted for it. */
  spent: KeySpent | null
  children: number
  expires_at: string | null
}

/** What a new key may do and spend; without a cap there is none. */
export interface NewKeyLimits {
  scopes?: Scope[]
  types?: string[]
  task_max_cents?: number
  day_max_cents?: number
  month_max_cents?: number
  budget_cents?: number
  expires_at?: string
}

interface Key extends KeyLimits {
  id: string
  name: string
  mode: 'live' | 'test'
  prefix: string
  created_at: string
  last_used_at: string | null
}

interface RefusedRequest {
  id: string
  at: string
  method: string
  path: string
  status: number
  code: string
  ms: number
  key_id: string | null
}

export interface SoonRoutes {
  'PATCH /agents/keys/{id}': {
    query: undefined
    body: { name?: string } & Partial<KeyCaps>
    answer: { key: Key }
  }
  'POST /agents/keys/{id}/rotate': {
    query: undefined
    body: undefined
    answer: { key: Key & { api_key: string }; old_expires_at: string }
  }
  'GET /requests': {
    query: { limit?: number; offset?: number; status?: number }
    body: undefined
    answer: { requests: RefusedRequest[]; total: number; limit: number; offset: number }
  }
  'GET /requests/{id}': {
    query: undefined
    body: undefined
    answer: {
      request: RefusedRequest & {
        request_body: unknown
        response_body: unknown
        user_agent: string | null
      }
    }
  }
  'POST /test/agents': {
    query: undefined
    body: { name?: string }
    answer: {
      agent: {
        id: string
        name: string
        test_api_key: string
        webhook_secret: string
        balance_cents: number
        free_tasks_remaining: number
      }
      expires_at: string
      claim_url: string
    }
  }
}
