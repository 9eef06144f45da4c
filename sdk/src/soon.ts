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
  spent: KeySpent
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

interface Me {
  id: string
  name: string
  email: string | null
  mode: 'live' | 'test'
  webhook_url: string | null
  events: string[]
  balance_cents: number
  escrow_cents: number
  free_tasks_remaining: number
  low_balance_cents: number | null
  status: string
  expires_at: string | null
  twin: { exists: boolean }
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

interface Session {
  agent: { id: string; name: string; mode: 'live' | 'test' }
  expires_at: string
}

export interface SoonRoutes {
  'GET /agents/me': {
    query: undefined
    body: undefined
    answer: {
      agent: Me
      key: Pick<Key, 'id' | 'name' | 'scopes' | 'types' | 'caps' | 'spent' | 'expires_at'>
    }
  }
  'GET /agents/me/checklist': {
    query: undefined
    body: undefined
    answer: {
      items: {
        id: 'funds' | 'webhook' | 'signature' | 'cap' | 'dispute'
        is_done: boolean
        says: string
      }[]
      can_go_live: boolean
    }
  }
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
  'GET /stats/spend': {
    query: { days?: number }
    body: undefined
    answer: {
      days: { day: string; type: string; spent_cents: number; tasks: number }[]
      by_type: { type: string; spent_cents: number; tasks: number }[]
      pace_cents_per_day: number
      days_left: number | null
    }
  }
  'GET /quote': {
    query: { type?: string; where?: string; people?: number }
    body: undefined
    answer: {
      type: string
      budget_cents: { low: number; usual: number; high: number }
      people_near: number | null
      expected_minutes: number | null
      confidence: 'high' | 'medium' | 'low' | 'none'
      says: string
    }
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
  'POST /test/clock/advance': {
    query: undefined
    body: { by: string }
    answer: {
      moved_s: number
      total_moved_s: number
      is_done: boolean
      fired: { at_s: number; what: string; task_id: string | null }[]
    }
  }
  'GET /test/clock': {
    query: undefined
    body: undefined
    answer: { moved_s: number; next: { in_s: number; what: string; task_id: string | null }[] }
  }
  'POST /test/workers': {
    query: undefined
    body: { name?: string }
    answer: {
      worker: { id: string; name: string }
      token: string
      expires_at: string
      app_url: string
    }
  }
  'POST /console/session': { query: undefined; body: { api_key: string }; answer: Session }
  'GET /console/session': { query: undefined; body: undefined; answer: Session }
  'DELETE /console/session': { query: undefined; body: undefined; answer: undefined }
}
