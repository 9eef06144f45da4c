/** An icon and a tint for each type of task, in place of its name where room is short. */
import type { ReactNode } from 'react'
import type { TaskType } from '../find/wishes.ts'

const LOOKS: Record<TaskType, { tint: string; shape: ReactNode }> = {
  verification: {
    tint: 'bg-verification-soft text-verification',
    shape: (
      <>
        <circle className="fill-current/20" cx="10.5" cy="10.5" r="7" />
        <path d="m15.7 15.7 5 5M7.5 10.7l2.2 2.2 3.8-4.4" />
      </>
    ),
  },
  field_mission: {
    tint: 'bg-field-mission-soft text-field-mission',
    shape: (
      <>
        <path
          className="fill-current/20"
          d="M14 17.5c-1.2-3.4-6-5.3-6-9.7a6 6 0 0 1 12 0c0 4.4-4.8 6.3-6 9.7ZM14 8v0"
        />
        <path strokeDasharray="3 3.5" d="M4 14.5c-1 4 1 6.5 5 6.5h6" />
      </>
    ),
  },
  voice_proxy: {
    tint: 'bg-voice-proxy-soft text-voice-proxy',
    shape: (
      <>
        <path
          className="fill-current/20"
          d="M5 3.5h3.2L10 8.2 7.7 10c1.3 2.8 3.5 5 6.3 6.3l1.8-2.3 4.7 1.8V19a2 2 0 0 1-2 2C10 21 3 14 3 5.5a2 2 0 0 1 2-2Z"
        />
        <path d="M15 3.5A5.5 5.5 0 0 1 20.5 9M15 7.5a1.5 1.5 0 0 1 1.5 1.5" />
      </>
    ),
  },
  gut_check: {
    tint: 'bg-gut-check-soft text-gut-check',
    shape: <path className="fill-current/20" d="M13.5 2.5 4.5 14H11l-1 7.5L19.5 10H13Z" />,
  },
  vibe_reader: {
    tint: 'bg-vibe-reader-soft text-vibe-reader',
    shape: (
      <>
        <circle className="fill-current/20" cx="12" cy="12" r="9" />
        <path d="M8 14.5c2 2.7 6 2.7 8 0M9 9.5v0m6 0v0" />
      </>
    ),
  },
  empathy_escalation: {
    tint: 'bg-empathy-escalation-soft text-empathy-escalation',
    shape: (
      <>
        <path
          className="fill-current/20"
          d="M6 3.5h12a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-6.5L7 21.5v-4H6a3 3 0 0 1-3-3v-8a3 3 0 0 1 3-3Z"
        />
        <path d="M12 14c-2-1.3-3.7-2.6-3.7-4.3a1.9 1.9 0 0 1 3.7-.7 1.9 1.9 0 0 1 3.7.7c0 1.7-1.7 3-3.7 4.3Z" />
      </>
    ),
  },
  custom: {
    tint: 'bg-raised text-muted',
    shape: (
      <>
        <rect className="fill-current/20" x="4.5" y="4.5" width="15" height="17" rx="3" />
        <path d="M9 2.5h6v4H9Zm0 9h6m-6 5h3.5" />
      </>
    ),
  },
}

/** Classes of the soft background and the strong color. */
export const tintOf = (type: TaskType) => LOOKS[type].tint

export function TypeIcon({ type, size = 22 }: { type: TaskType; size?: number }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {LOOKS[type].shape}
    </svg>
  )
}

/** The icon on its tint. */
export function TypeTile({ type }: { type: TaskType }) {
  return (
    <span
      className={`flex size-10 shrink-0 items-center justify-center rounded-field ${LOOKS[type].tint}`}
    >
      <TypeIcon type={type} />
    </span>
  )
}
