import { type Series, StackedBars } from '../shared/ui/chart.tsx'
import { money, moneyShort, utcDay } from '../shared/desk/figures.ts'
import { type TaskType, TYPE_NAMES, TYPES } from './words.ts'

const LOOKS: Record<TaskType, Omit<Series, 'label'>> = {
  verification: { tone: 'brand' },
  field_mission: { tone: 'info' },
  gut_check: { tone: 'brand', isHatched: true },
  voice_proxy: { tone: 'warn' },
  vibe_reader: { tone: 'info', isHatched: true },
  empathy_escalation: { tone: 'warn', isHatched: true },
  custom: { tone: 'danger', isHatched: true },
}

const DAY_MS = 86_400_000

/** Spending per day and task type, including days without any. */
export function SpendChart({
  days,
  span,
}: {
  days: { day: string; type: TaskType; spent_cents: number }[]
  span: number
}) {
  const types = TYPE_NAMES.filter((type) => days.some((one) => one.type === type))
  if (types.length === 0) return <p className="text-muted">No spending in this period.</p>
  const last = Math.max(Date.now(), ...days.map(({ day }) => Date.parse(`${day}T00:00:00Z`)))
  const all = Array.from({ length: span }, (_, at) =>
    new Date(last - (span - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  )
  const spent = new Map(days.map(({ day, type, spent_cents }) => [day + type, spent_cents]))
  return (
    <StackedBars
      caption="Spending per day and task type"
      nameLabel="Day"
      series={types.map((type) => ({ label: TYPES[type], ...LOOKS[type] }))}
      bars={all.map((day) => ({
        label: utcDay(day),
        name: day,
        parts: types.map((type) => spent.get(day + type) ?? 0),
      }))}
      least={100}
      write={money}
      writeShort={moneyShort}
    />
  )
}
