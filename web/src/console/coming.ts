/** Endpoints that are agreed on and not yet in openapi.json. Each goes from here when it is there. */
interface Op<A, B = never, Q = never, P = never> {
  parameters: { query?: Q; path: P }
  requestBody?: { content: { 'application/json': B } }
  responses: { 200: { content: { 'application/json': A } } }
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

export interface Coming {
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
}
