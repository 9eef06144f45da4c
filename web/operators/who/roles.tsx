/** The words for roles and for what each may do. */
import { Check } from 'lucide-react'
import { Select } from '../../shared/ui/select.tsx'
import type { Answer } from '../api.ts'

export type Role = Answer<'/session'>['operator']['role']

export const ROLE_NAMES: Record<Role, string> = {
  viewer: 'Viewer',
  support: 'Support',
  trust: 'Trust',
  finance: 'Finance',
  admin: 'Administrator',
}

const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`

export function May({ may }: { may: readonly string[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {may.map((right) => (
        <li key={right} className="flex items-start gap-2">
          <Check size={16} aria-hidden className="mt-1 shrink-0 text-brand" />
          {capital(right)}
        </li>
      ))}
    </ul>
  )
}

/** A role, with what it may do. */
export function ChooseRole({
  roles,
  value,
  onChange,
}: {
  roles: Answer<'/operators'>['roles']
  value: Role
  onChange(role: Role): void
}) {
  return (
    <div className="flex flex-col gap-3">
      <Select
        label="Role"
        value={value}
        options={roles.map(({ role }) => ({ value: role, label: ROLE_NAMES[role] }))}
        onChange={onChange}
      />
      <div className="flex flex-col gap-1 rounded-field bg-raised p-3 text-sm" aria-live="polite">
        <h3 className="font-semibold">This role may</h3>
        <May may={roles.find(({ role }) => role === value)?.may ?? []} />
      </div>
    </div>
  )
}
