/** The questions that workers have, by group, each with the screen where they can act on the answer. */

export const TOPICS = {
  money: [
    { name: 'paidWhen', href: '/earnings' },
    { name: 'hold', href: '/payout' },
    { name: 'bank', href: '/payout' },
  ],
  tasks: [
    { name: 'cantDo', href: '/active' },
    { name: 'late', href: '/active' },
  ],
  disputes: [
    { name: 'refused', href: '/inbox' },
    { name: 'appeal', href: '/inbox' },
  ],
  safety: [
    { name: 'safe', href: '/active' },
    { name: 'never', href: '/me/questions/new?subject=safety' },
  ],
  account: [
    { name: 'trust', href: '/me/trust' },
    { name: 'login', href: '/me/account' },
    { name: 'leave', href: '/me/close' },
  ],
} as const

export const GROUPS = Object.keys(TOPICS) as (keyof typeof TOPICS)[]
