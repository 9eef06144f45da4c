/**
 * Emails to agents, in English. Each says what happened, what to do next, how long the link is valid, and what to do if
 * the address is not the agent's.
 */
import { counted } from '../kit/words.ts'
import { compose, type Mail } from './compose.ts'
import { moneyIn, timeIn } from './formats.ts'

export function agentVerification({
  link,
  recoverLink,
  agentId,
  hours,
}: {
  link: string
  recoverLink: string
  agentId: string
  hours: number
}): Mail {
  return compose('en', 'Confirm the email address of your Legwork agent', [
    'Someone, most likely you, registered an agent on Legwork with this address. Confirm that it is yours:',
    { label: 'Confirm my email address', link },
    { list: [`Agent: ${agentId}`] },
    `The link works for ${counted(hours, 'hours')}. Your API key works without it. If you ever ` +
      'lose the key, we will send a recovery link to this address.',
    'If you did not register an agent, you can ignore this email. To end the keys of whoever ' +
      `used your address, request a recovery link: ${recoverLink}`,
  ])
}

export function keyRecovery({
  link,
  agentId,
  minutes,
}: {
  link: string
  agentId: string
  minutes: number
}): Mail {
  return compose('en', 'Get a new API key for your Legwork agent', [
    'Someone, most likely you, requested a new API key because the old one is lost. Open this ' +
      'link and confirm. The new key is shown only once:',
    { label: 'Get a new API key', link },
    { list: [`Agent: ${agentId}`] },
    'When you confirm, all current keys of the agent stop working, live and test, and all ' +
      'console sessions end. The wallet, the tasks and the webhook settings stay the same.',
    `The link works once, for ${counted(minutes, 'minutes')}. Only the newest link is valid. Do not forward it.`,
    'If this wasn’t you, ignore this email. Nothing changes without the link.',
  ])
}

export function keysReplaced({
  at,
  agentId,
  recoverLink,
}: {
  at: Date
  agentId: string
  recoverLink: string
}): Mail {
  return compose('en', 'The API keys of your Legwork agent were replaced', [
    `On ${timeIn('en', at)} the recovery link that we sent to this address was used. Your agent has a ` +
      'new live key and a new test key. All earlier keys and console sessions have ended.',
    { list: [`Agent: ${agentId}`] },
    'If this was you, replace the old keys with the new ones. If someone else may have had an ' +
      'old key, also check the webhook URL and rotate the webhook secret: POST ' +
      '/api/v1/webhooks/rotate-secret.',
    'If this wasn’t you, someone else can read your email. Secure your mailbox first, then ' +
      'replace the keys again:',
    { label: 'Replace the keys again', link: recoverLink },
  ])
}

export function consoleLogIn({ link, minutes }: { link: string; minutes: number }): Mail {
  return compose('en', 'Log in to the Legwork console', [
    'Someone, most likely you, asked for a link to log in to the console. Open it and confirm:',
    { label: 'Log in to the console', link },
    `The link works once, for ${counted(minutes, 'minutes')}. Do not forward it: whoever has it can log in as you.`,
    'If this wasn’t you, ignore this email. Nothing changes without the link.',
  ])
}

export function agentInvitation({
  link,
  agentName,
  inviter,
  role,
  days,
}: {
  link: string
  agentName: string
  inviter: string
  role: string
  days: number
}): Mail {
  return compose('en', 'You are invited to a Legwork console', [
    `${inviter} invites you to the console of the agent ${agentName}, with the role ${role}. ` +
      'Open this link and confirm:',
    { label: 'Accept the invitation', link },
    `The link works once, for ${counted(days, 'days')}. Later you log in with a link that we send to this address.`,
    'If you don’t know who sent this, ignore this email. Nothing changes without the link.',
  ])
}

/** A failing webhook receiver, and the commands that its owner can run to fix it. */
export interface Receiver {
  host: string
  agentId: string
  mode: 'live' | 'test'
  /** The error of the last attempt, in our own words; undefined if it is no longer known. */
  error: string | undefined
  /** `readdress` is set only if one address serves all tasks. */
  commands: { ping: string; readdress?: string; replay: string }
}

export function receiverFailing({
  since,
  endsAt,
  waiting,
  ...receiver
}: Receiver & { since: Date; endsAt: Date; waiting: string }): Mail {
  return compose('en', 'Your webhook receiver has been failing for three days', [
    `Since ${timeIn('en', since)}, every delivery to your webhook receiver at ${receiver.host} has failed.`,
    { list: [...about(receiver), `Waiting: ${waiting}`] },
    'GET /api/v1/webhooks/deliveries lists every attempt, with the beginning of your ' +
      'receiver’s response. Fix the receiver, then let us try it right away. When it responds ' +
      'with 2xx, we send the waiting events:',
    { command: receiver.commands.ping },
    'An event stops waiting after eight attempts in 28 hours. Request those events too:',
    { command: receiver.commands.replay },
    `If the receiver keeps failing until ${timeIn('en', endsAt)}, we stop sending. Nothing is lost ` +
      'even then: we keep events for 30 days, and you can read them with GET /api/v1/events or ' +
      'have them sent again.',
    NOT_YOURS,
  ])
}

export function receiverDisabled({
  why,
  at,
  ...receiver
}: Receiver & { why: 'gone' | 'failing'; at: Date }): Mail {
  const { readdress } = receiver.commands
  const happened =
    why === 'gone'
      ? `Your webhook receiver at ${receiver.host} responded with 410 Gone, which tells us to stop sending.`
      : `For five days, every delivery to your webhook receiver at ${receiver.host} has failed.`
  return compose('en', 'We no longer send webhooks to your receiver', [
    `${happened} On ${timeIn('en', at)} we stopped sending to it.`,
    { list: about(receiver) },
    'If that is what you want, there is nothing to do. Otherwise, fix the receiver and let us ' +
      'try it; when it responds with 2xx, we send to it again:',
    { command: receiver.commands.ping },
    ...(readdress === undefined ? [] : ['Or set another URL:', { command: readdress }]),
    'Then request the events it missed. We keep events for 30 days:',
    { command: receiver.commands.replay },
    NOT_YOURS,
  ])
}

export function walletLow({
  agentId,
  mode,
  balanceCents,
  limitCents,
  link,
}: {
  agentId: string
  mode: 'live' | 'test'
  balanceCents: number
  limitCents: number
  link: string
}): Mail {
  return compose(
    'en',
    `${moneyIn('en', balanceCents)} left in your ${mode === 'live' ? '' : 'test '}wallet`,
    [
      `Your agent’s wallet has fallen below ${moneyIn('en', limitCents)}, the limit that you ` +
        `set. Its balance is ${moneyIn('en', balanceCents)}, not counting the money held for open ` +
        'tasks.',
      { list: [`Agent: ${agentId}, ${mode} mode`] },
      mode === 'live'
        ? 'Without money, your agent can’t create new tasks. Add money here:'
        : 'This is play money. In live mode, you would add money here:',
      { label: 'Open the wallet', link },
      'We will not email you again until the balance has been above the limit. Change the ' +
        'limit with PATCH /api/v1/agents/me and low_balance_cents; null turns these emails off.',
      NOT_YOURS,
    ],
  )
}

export function agentRestricted({
  agentId,
  isChargeback,
  link,
}: {
  agentId: string
  isChargeback: boolean
  link: string
}): Mail {
  return compose('en', 'Your agent can no longer create tasks', [
    isChargeback
      ? 'A payment was charged back, so your agent can no longer create tasks or get refunds.'
      : 'We have restricted your agent: it can no longer create tasks or get refunds.',
    { list: [`Agent: ${agentId}`] },
    'Tasks that nobody had accepted were canceled, and their budgets returned to the wallet. ' +
      'Tasks that a worker has accepted continue, and their workers are paid.',
    isChargeback
      ? 'The restriction ends when the chargeback is decided for you and nothing is owed.'
      : 'A person decides when the restriction ends. Contact support to find out why, or to object.',
    { label: 'Open the console', link },
    NOT_YOURS,
  ])
}

export function agentFreed({ agentId, link }: { agentId: string; link: string }): Mail {
  return compose('en', 'Your agent can create tasks again', [
    'The restriction of your agent has ended. Everything works as before.',
    { list: [`Agent: ${agentId}`] },
    { label: 'Open the console', link },
    NOT_YOURS,
  ])
}

/** `until`: when the agent can write again at the latest; null if the question is closed. */
export function questionAnswered({
  agentId,
  answer,
  until,
  link,
}: {
  agentId: string
  answer: string
  until: Date | null
  link: string
}): Mail {
  return compose('en', 'We answered your question', [
    'You asked us a question. Our answer:',
    `Our reply: “${answer}”`,
    until === null
      ? 'The question is closed. If you need more help, ask a new one in the console.'
      : `Is something unclear? You can write again in the console until ${timeIn('en', until)}. ` +
        'We don’t read replies to this email.',
    { label: 'Open the question', link },
    { list: [`Agent: ${agentId}`] },
    NOT_YOURS,
  ])
}

const NOT_YOURS =
  'If you have no agent at Legwork, ignore this email. Someone used your address, perhaps by mistake.'

const about = ({ agentId, mode, error }: Receiver) => [
  `Agent: ${agentId}, ${mode} mode`,
  ...(error === undefined ? [] : [`Last error: ${error}`]),
]
