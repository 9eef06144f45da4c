import {
  BadgeCheck,
  Banknote,
  CalendarCheck,
  Footprints,
  MailCheck,
  ShieldCheck,
  Users,
  Zap,
} from 'lucide-react'
import type { Answer } from '../api.ts'
import { useText } from '../text/use-text.tsx'

export type Badge = Answer<'/worker/profile'>['worker']['badges'][number]

const ICONS: Record<Badge, typeof Zap> = {
  email_verified: MailCheck,
  payout_ready: Banknote,
  first_task: BadgeCheck,
  streak_7: CalendarCheck,
  fast_responder: Zap,
  field_pro: Footprints,
  consensus_sage: Users,
  spotless_50: ShieldCheck,
}

/** Badges with text, since icons alone aren't clear to everyone. */
export function Badges({ badges }: { badges: readonly Badge[] }) {
  const text = useText()
  return (
    <ul className="flex flex-col gap-3">
      {badges.map((badge) => {
        const Icon = ICONS[badge]
        return (
          <li key={badge} className="flex items-center gap-3">
            <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-brand-soft text-on-brand-soft">
              <Icon size={20} aria-hidden />
            </span>
            <span className="flex min-w-0 flex-col">
              <strong>{text(`badge.${badge}`)}</strong>
              <span className="text-sm text-muted">{text(`badge.${badge}.why`)}</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
