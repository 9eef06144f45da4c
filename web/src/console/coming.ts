/** Endpoints that are agreed on and not yet in openapi.json. Each goes from here when it is there. */
interface Op<A, B = never, Q = never, P = never> {
  parameters: { query?: Q; path: P }
  requestBody?: { content: { 'application/json': B } }
  responses: { 200: { content: { 'application/json': A } } }
}

interface Session {
  agent: { id: string; name: string; mode: 'live' | 'test' }
  expires_at: string
}

type TaskType =
  | 'verification'
  | 'voice_proxy'
  | 'gut_check'
  | 'field_mission'
  | 'empathy_escalation'
  | 'vibe_reader'
  | 'custom'

interface Caps {
  task_max_cents: number | null
  day_max_cents: number | null
  month_max_cents: number | null
  budget_cents: number | null
}
interface Spent {
  day_cents: number
  month_cents: number
  total_cents: number
}
type Scope = 'create' | 'review' | 'read' | 'manage'
interface KeyView {
  id: string
  name: string
  mode: 'live' | 'test'
  prefix: string
  parent_id: string | null
  scopes: Scope[]
  types: TaskType[] | null
  caps: Caps
  spent: Spent
  children: number
  created_at: string
  last_used_at: string | null
  expires_at: string | null
}
interface KeyBody {
  name: string
  scopes?: Scope[]
  types?: TaskType[]
  task_max_cents?: number
  day_max_cents?: number
  month_max_cents?: number
  budget_cents?: number
  expires_at?: string
}

interface RequestRow {
  id: string
  at: string
  method: string
  path: string
  status: number
  code: string
  ms: number
  key_id: string | null
}

export interface Coming {
  '/console/session': {
    get: Op<Session>
    post: Op<Session, { api_key: string }>
    delete: Op<undefined>
  }
  '/agents/me': {
    get: Op<{
      agent: {
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
      key: {
        id: string
        name: string
        scopes: Scope[]
        types: TaskType[] | null
        caps: Caps
        spent: Spent
        expires_at: string | null
      }
    }>
    patch: Op<
      { agent: object },
      {
        name?: string
        webhook_url?: string | null
        events?: string[]
        low_balance_cents?: number | null
      }
    >
  }
  '/agents/me/checklist': {
    get: Op<{ items: { id: string; is_done: boolean; says: string }[]; can_go_live: boolean }>
  }
  '/agents/keys': {
    get: Op<{ keys: KeyView[] }>
    post: Op<{ key: KeyView & { api_key: string } }, KeyBody>
  }
  '/agents/keys/{id}': {
    patch: Op<{ key: KeyView }, Partial<KeyBody>, never, { id: string }>
    delete: Op<{ key: KeyView }, never, never, { id: string }>
  }
  '/agents/keys/{id}/rotate': {
    post: Op<
      { key: KeyView & { api_key: string }; old_expires_at: string },
      never,
      never,
      { id: string }
    >
  }
  '/stats/spend': {
    get: Op<
      {
        days: { day: string; type: TaskType; spent_cents: number; tasks: number }[]
        by_type: { type: TaskType; spent_cents: number; tasks: number }[]
        pace_cents_per_day: number
        days_left: number | null
      },
      never,
      { days?: number }
    >
  }
  '/quote': {
    get: Op<
      {
        type: TaskType
        budget_cents: { low: number; usual: number; high: number }
        people_near: number | null
        expected_minutes: number | null
        confidence: 'high' | 'medium' | 'low' | 'none'
        says: string
      },
      never,
      { type: TaskType; where?: string; people?: number }
    >
  }
  '/requests': {
    get: Op<
      { requests: RequestRow[]; total: number; limit: number; offset: number },
      never,
      { limit?: number; offset?: number; status?: number }
    >
  }
  '/requests/{id}': {
    get: Op<
      {
        request: RequestRow & {
          request_body: string | null
          response_body: string | null
          user_agent: string | null
        }
      },
      never,
      never,
      { id: string }
    >
  }
  '/test/agents': {
    post: Op<
      {
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
      },
      { name?: string }
    >
  }
  '/test/clock': {
    get: Op<{ moved_s: number; next: { in_s: number; what: string; task_id: string | null }[] }>
  }
  '/test/clock/advance': {
    post: Op<
      {
        moved_s: number
        total_moved_s: number
        is_done: boolean
        fired: { at_s: number; what: string; task_id: string | null }[]
      },
      { by: string }
    >
  }
  '/test/workers': {
    post: Op<
      { worker: { id: string; name: string }; token: string; expires_at: string; app_url: string },
      { name?: string }
    >
  }
}
