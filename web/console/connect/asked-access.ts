/** Reads what an app asks for from the address of the consent page. Pure rules. */
import type { Body } from '../api.ts'

type Asked = Omit<
  Body<'/console/connect'>,
  'scopes' | 'days' | 'task_max_cents' | 'day_max_cents' | 'month_max_cents' | 'budget_cents'
>

const NEEDED = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
]
const NAMES = [...NEEDED, 'scope', 'state', 'resource']

/** Undefined if something is missing or was sent twice: then two readers could take different values. */
export function readAskedAccess(search: URLSearchParams): Asked | undefined {
  if (NAMES.some((name) => search.getAll(name).length > 1)) return undefined
  if (NEEDED.some((name) => !search.get(name))) return undefined
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search.get(name)
      return value === null ? [] : [[name, value]]
    }),
  ) as unknown as Asked
}

export const PERIODS = [
  { value: 'month_max_cents', label: 'per month' },
  { value: 'day_max_cents', label: 'per day' },
  { value: 'budget_cents', label: 'in total' },
] as const
export type Period = (typeof PERIODS)[number]['value']
