/**
 * Email templates. Each says what happened, what to do next, how long the link is valid, and what to do if it was not
 * you. None greets by name: anyone can register under any name, and could use it to send a message to a stranger. The
 * only text from an agent is the title of a task that the worker has done, without anything to click on.
 */
import { escapeHtml } from '../kit/html.ts'
import { formatCents } from '../kit/money.ts'
import { counted } from '../kit/words.ts'

export interface Mail {
  subject: string
  text: string
  html: string
}

export function verification({ link, hours }: { link: string; hours: number }): Mail {
  return write('Confirm your email address for Legwork', [
    'Someone, most likely you, registered as a worker on Legwork with this email address.',
    'Confirm the address, then log in and choose your first task:',
    { label: 'Confirm my email address', link },
    `The link works for ${counted(hours, 'hours')}. After that, you can request a new one on the same page.`,
    'If this wasn’t you, ignore this email: nobody can use the account without the link.',
  ])
}

export function passwordReset({ link, minutes }: { link: string; minutes: number }): Mail {
  return write('Choose a new password for Legwork', [
    'Someone, most likely you, requested a new password for your Legwork account.',
    'Choose one here. You will be logged out everywhere; then log in with the new password:',
    { label: 'Choose a new password', link },
    `The link works once, for ${counted(minutes, 'minutes')}. Only the newest link is valid.`,
    'If this wasn’t you, ignore this email: your password stays the same.',
  ])
}

export function alreadyRegistered({ link }: { link: string }): Mail {
  return write('You are already registered with Legwork', [
    'Someone, most likely you, requested another link to confirm this address. It is already confirmed.',
    'Log in with your password. If you forgot it, request a new one:',
    { label: 'I forgot my password', link },
    'There is nothing else to do.',
    'If this wasn’t you, ignore this email: nothing has changed.',
  ])
}

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
  return write('Confirm the email address of your Legwork agent', [
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
  return write('Get a new API key for your Legwork agent', [
    'Someone, most likely you, requested a new API key because the old one is lost. Open this ' +
      'link and confirm. The new key is shown only once:',
    { label: 'Get a new API key', link },
    { list: [`Agent: ${agentId}`] },
    'When you confirm, all current keys of the agent stop working, live and test, and all ' +
      'console sessions end. The wallet, the tasks and the webhook settings stay the same.',
    `The link works once, for ${counted(minutes, 'minutes')}. Only the newest link is valid. Do not forward it.`,
    'If this wasn’t you, ignore this email: nothing changes without the link.',
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
  return write('The API keys of your Legwork agent were replaced', [
    `On ${time(at)} the recovery link that we sent to this address was used. Your agent has a ` +
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

/** A worker's money, and the task that it is for. */
interface AboutMoney {
  cents: number
  title: string
  link: string
  /** The account is suspended or closed: link to a page that works without a login. */
  isShutOut?: boolean
}

export function workDisputed({
  cents,
  title,
  until,
  link,
  isShutOut = false,
}: AboutMoney & { until: Date }): Mail {
  return write(`${formatCents(cents)} disputed: ${shown(title)}`, [
    `The agent says that your work for “${shown(title)}” does not meet the request, and has ` +
      `taken back the ${formatCents(cents)} for it.`,
    isShutOut
      ? `If you disagree, appeal by ${time(until)}. Read the reason and appeal here:`
      : `If you disagree, appeal by ${time(until)}. Read the reason and reply here:`,
    { label: isShutOut ? 'Read the reason and appeal' : 'Read the reason and reply', link },
    isShutOut
      ? 'If you don’t appeal, the work is not paid.'
      : 'If you don’t reply, the dispute stands.',
    whyByMail(isShutOut),
  ])
}

export function disputeHeld({
  cents,
  title,
  until,
  link,
  isShutOut = false,
}: AboutMoney & { until: Date }): Mail {
  return write(`We are reviewing a dispute: ${shown(title)}`, [
    `The agent says that your work for “${shown(title)}” does not meet the request. It has ` +
      'disputed a lot of work within a day, so a person at Legwork decides before the dispute ' +
      'takes effect.',
    `We decide by ${time(until)}. If we don’t, the dispute has no effect and you are paid your ` +
      `${formatCents(cents)} as if there had been no dispute.`,
    'You don’t have to do anything now. If we uphold the dispute, we will let you know, and you can appeal.',
    { label: isShutOut ? 'See your account' : 'Read the agent’s reason', link },
    whyByMail(isShutOut),
  ])
}

export function disputeDecided({
  cents,
  title,
  isUpheld,
  isPaid = true,
  link,
  isShutOut = false,
}: AboutMoney & {
  isUpheld: boolean
  /** False while other proofs of the task still wait for a verdict. */
  isPaid?: boolean
}): Mail {
  if (!isPaid && !isUpheld)
    return write(`The dispute has no effect: ${shown(title)}`, [
      `The dispute about “${shown(title)}” has no effect. Your proof can’t be disputed again; you are paid when the ` +
        'task is settled.',
      { label: isShutOut ? 'See your account' : 'See the task', link },
      whyByMail(isShutOut),
    ])
  return write(
    isUpheld ? `Dispute upheld: ${shown(title)}` : `You get ${formatCents(cents)}: ${shown(title)}`,
    [
      isUpheld
        ? `We have reviewed the dispute about “${shown(title)}”. It was upheld, so you are not ` +
          'paid for this work.'
        : `The dispute about “${shown(title)}” was decided: you get ${formatCents(cents)}, which ` +
          'is paid out with your other earnings.',
      isShutOut ? 'Read the reason and see what you are owed here:' : 'Read the reason here:',
      { label: 'Read the decision', link },
      whyByMail(isShutOut),
    ],
  )
}

export function payoutFailed({ cents, title, link, isShutOut = false }: AboutMoney): Mail {
  return write(`${formatCents(cents)} could not be paid out: ${shown(title)}`, [
    `Your ${formatCents(cents)} for “${shown(title)}” did not reach your payout account. The money is still yours.`,
    'Check your payout account:',
    { label: 'Check my payout account', link },
    'We will try again automatically over the next two weeks. If it still fails, our team will look into it.',
    whyByMail(isShutOut),
  ])
}

/** A decision on a worker's account. `reason` and `note` are the operator's words. */
interface AboutAccount {
  kind: 'suspended' | 'closed'
  reason: string
  /** Titles of the tasks that the decision is based on. */
  tasks: string[]
}

export function accountShutOut({
  kind,
  reason,
  tasks,
  until,
  replyDays,
  link,
}: AboutAccount & { until: Date | null; replyDays: number; link: string }): Mail {
  const isClosed = kind === 'closed'
  return write(isClosed ? 'Your Legwork account is closed' : 'Your Legwork account is suspended', [
    isClosed
      ? 'We have closed your Legwork account. You are logged out on all devices and can no longer accept tasks.'
      : 'We have suspended your Legwork account. You are logged out on all devices and can’t accept tasks.',
    `Reason: ${oneLine(reason)}`,
    ...(tasks.length === 0
      ? []
      : ['We based this decision on these tasks:', { list: tasks.map(shown) }]),
    until === null
      ? 'The decision has no end date.'
      : `The suspension ends on ${time(until)}. You can log in again from then on.`,
    'Money you have earned is still paid. Work you have sent is reviewed and paid as usual. ' +
      'Tasks you had accepted were released, and that does not affect your trust score.',
    `If you disagree, tell us why. A person will reply within ${counted(replyDays, 'days')}. If nobody replies in ` +
      'time, your account is reinstated.',
    { label: 'Object to this decision', link },
    'On the same page you can add or change your bank account, and appeal if work you have sent is disputed.',
    'The link is personal: don’t forward this email.',
  ])
}

export function accountReinstated({
  kind,
  why,
  note,
  link,
}: Pick<AboutAccount, 'kind'> & {
  why: 'time_passed' | 'operator' | 'objection' | 'no_reply'
  note: string | null
  link: string
}): Mail {
  const opening = {
    time_passed: 'The suspension of your Legwork account has ended.',
    operator: `We have reinstated your Legwork account, which was ${kind}.`,
    objection: `We agree with your objection and have reinstated your Legwork account, which was ${kind}.`,
    no_reply: `We did not reply to your objection in time, so your Legwork account, which was ${kind}, is reinstated.`,
  }
  return write('Your Legwork account is active again', [
    opening[why],
    ...(note === null ? [] : [`Our reply: ${oneLine(note)}`]),
    'You can log in and accept tasks again:',
    { label: 'Log in', link },
  ])
}

export function objectionUpheld({
  kind,
  note,
  until,
}: Pick<AboutAccount, 'kind'> & { note: string; until: Date | null }): Mail {
  return write('Our reply to your objection', [
    `We have reviewed your objection. Your Legwork account stays ${kind}.`,
    `Our reply: ${oneLine(note)}`,
    until === null
      ? 'This decision is final on our side.'
      : `The suspension ends on ${time(until)}. You can log in again from then on.`,
    'Money you have earned is still paid. To add or change your bank account, use the link in our earlier email, or ' +
      'log in with your password to get a new one.',
  ])
}

const oneLine = (text: string) => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()

const TOLD_BY_MAIL =
  'You got this email because we could not notify any of your devices. You can turn ' +
  'notifications on or off in the app.'
const WITHOUT_LOGIN =
  'You can’t log in because your account is suspended or closed. The link above works without a login. It is ' +
  'personal: don’t forward this email.'
const whyByMail = (isShutOut: boolean) => (isShutOut ? WITHOUT_LOGIN : TOLD_BY_MAIL)

const SHOWN_MAX = 80
const LINK = /\S*(?::\/\/|www\.)\S*|\S+@\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}\S*/giu

/** Puts an agent's text on one line and removes anything that an email client would turn into a link. */
function shown(title: string): string {
  const line = title
    .replaceAll(LINK, '…')
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  const letters = Array.from(line)
  return letters.length <= SHOWN_MAX ? line : `${letters.slice(0, SHOWN_MAX - 1).join('')}…`
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
  return write('Your webhook receiver has been failing for three days', [
    `Since ${time(since)}, every delivery to your webhook receiver at ${receiver.host} has failed.`,
    { list: [...about(receiver), `Waiting: ${waiting}`] },
    'GET /api/v1/webhooks/deliveries lists every attempt, with the beginning of your ' +
      'receiver’s response. Fix the receiver, then let us try it right away. When it responds ' +
      'with 2xx, we send the waiting events:',
    { command: receiver.commands.ping },
    'An event stops waiting after eight attempts in 28 hours. Request those events too:',
    { command: receiver.commands.replay },
    `If the receiver keeps failing until ${time(endsAt)}, we stop sending. Nothing is lost ` +
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
  return write('We no longer send webhooks to your receiver', [
    `${happened} On ${time(at)} we stopped sending to it.`,
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
  return write(
    `${formatCents(balanceCents)} left in your ${mode === 'live' ? '' : 'test '}wallet`,
    [
      `Your agent’s wallet has fallen below ${formatCents(limitCents)}, the limit that you ` +
        `set. Its balance is ${formatCents(balanceCents)}, not counting the money held for open ` +
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
  return write('Your agent can no longer create tasks', [
    isChargeback
      ? 'A payment was charged back, so your agent can no longer create tasks or get refunds.'
      : 'We have restricted your agent: it can no longer create tasks or get refunds.',
    { list: [`Agent: ${agentId}`] },
    'Tasks that nobody had accepted were cancelled, and their budgets returned to the wallet. ' +
      'Tasks that a worker has accepted continue, and their workers are paid.',
    isChargeback
      ? 'The restriction ends when the chargeback is decided for you and nothing is owed.'
      : 'A person decides when the restriction ends. Contact support to find out why, or to object.',
    { label: 'Open the console', link },
    NOT_YOURS,
  ])
}

export function agentFreed({ agentId, link }: { agentId: string; link: string }): Mail {
  return write('Your agent can create tasks again', [
    'The restriction of your agent has ended. Everything works as before.',
    { list: [`Agent: ${agentId}`] },
    { label: 'Open the console', link },
    NOT_YOURS,
  ])
}

const NOT_YOURS =
  'If you have no agent at Legwork, ignore this email: someone used your address, perhaps by mistake.'

const about = ({ agentId, mode, error }: Receiver) => [
  `Agent: ${agentId}, ${mode} mode`,
  ...(error === undefined ? [] : [`Last error: ${error}`]),
]

const DATE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const time = (date: Date) => `${DATE.format(date)} UTC`

/** A paragraph, a button with its URL, a list of facts, or a command to type. */
type Part = string | { label: string; link: string } | { list: string[] } | { command: string }

function write(subject: string, parts: Part[]): Mail {
  const all = ['Hello,', ...parts, 'Legwork']
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:34em;margin:0 auto">
${all.map(htmlOf).join('\n')}
</div>
</body>
</html>
`
  return { subject, text: `${all.map(textOf).join('\n\n')}\n`, html }
}

function textOf(part: Part): string {
  if (typeof part === 'string') return part
  if ('link' in part) return part.link
  return 'list' in part
    ? part.list.map((fact) => `- ${fact}`).join('\n')
    : part.command.replaceAll(/^/gm, '    ')
}

const GAP = 'margin:0 0 16px'
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#1a56db;color:#ffffff;text-decoration:none'
const LIST = 'padding-left:20px;overflow-wrap:anywhere'
const COMMAND =
  'padding:12px;font-size:14px;border:1px solid #8888;border-radius:8px;white-space:pre-wrap;word-break:break-word'

function htmlOf(part: Part): string {
  if (typeof part === 'string') return `<p style="${GAP}">${escapeHtml(part)}</p>`
  if ('list' in part) {
    const facts = part.list.map((fact) => `<li>${escapeHtml(fact)}</li>`)
    return `<ul style="${GAP};${LIST}">\n${facts.join('\n')}\n</ul>`
  }
  if ('command' in part) return `<pre style="${GAP};${COMMAND}">${escapeHtml(part.command)}</pre>`
  const link = escapeHtml(part.link)
  return `<p style="${GAP}"><a href="${link}" style="${BUTTON}">${escapeHtml(part.label)}</a></p>
<p style="${GAP}">Or open this link:<br><a href="${link}" style="word-break:break-all">${link}</a></p>`
}
