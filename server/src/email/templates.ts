/**
 * Emails to workers, in the worker's language. Each says what happened, what to do next, how long the link is valid,
 * and what to do if it was not you. None greets by name: anyone can register under any name, and could use it to send a
 * message to a stranger. The only text from an agent is the title of a task that the worker has done, without anything
 * to click on.
 */
import { compose, type Mail } from './compose.ts'
import { isolatedIn, moneyIn, pluralIn, timeIn } from './formats.ts'
import type { Language } from './languages.ts'
import { TEXTS } from './texts.ts'

interface To {
  language: Language
}

interface Confirming extends To {
  link: string
  hours: number
}

export const verification = (mail: Confirming): Mail => confirming('verification', mail)

export function passwordReset({
  language,
  link,
  minutes,
}: To & { link: string; minutes: number }): Mail {
  const texts = TEXTS[language]
  const { subject, happened, next, button, expiry, notYou } = texts.passwordReset
  return compose(language, subject, [
    happened,
    next,
    { label: button, link },
    expiry({ minutes: pluralIn(language, minutes, texts.minutes) }),
    notYou,
  ])
}

export function alreadyRegistered({ language, link }: To & { link: string }): Mail {
  const { subject, happened, next, button, notYou } = TEXTS[language].alreadyRegistered
  return compose(language, subject, [happened, next, { label: button, link }, notYou])
}

/** A worker's money, and the task that it is for. */
interface AboutMoney extends To {
  cents: number
  title: string
  link: string
  /** The account is suspended or closed: link to a page that works without a login. */
  isShutOut?: boolean
}

export function workDisputed({
  language,
  until,
  link,
  isShutOut = false,
  ...about
}: AboutMoney & { until: Date }): Mail {
  const { subject, happened, next, button, otherwise } = TEXTS[language].workDisputed
  const values = valuesOf(language, about)
  return compose(language, subject(values), [
    happened(values),
    next({ until: timeIn(language, until) }),
    { label: button, link },
    otherwise,
    whyByEmail(language, isShutOut),
  ])
}

export function disputeHeld({
  language,
  until,
  link,
  isShutOut = false,
  ...about
}: AboutMoney & { until: Date }): Mail {
  const texts = TEXTS[language]
  const { subject, happened, decidedBy, next, button } = texts.disputeHeld
  const values = valuesOf(language, about)
  return compose(language, subject(values), [
    happened(values),
    decidedBy({ ...values, until: timeIn(language, until) }),
    next,
    { label: isShutOut ? texts.seeAccount : button, link },
    whyByEmail(language, isShutOut),
  ])
}

export function disputeDecided({
  language,
  isUpheld,
  isPaid = true,
  link,
  isShutOut = false,
  ...about
}: AboutMoney & {
  isUpheld: boolean
  /** False while other proofs of the task still wait for a verdict. */
  isPaid?: boolean
}): Mail {
  const { seeAccount, disputeDecided: texts } = TEXTS[language]
  const values = valuesOf(language, about)
  if (!isPaid && !isUpheld)
    return compose(language, texts.unsettledSubject(values), [
      texts.unsettled(values),
      { label: isShutOut ? seeAccount : texts.unsettledButton, link },
      whyByEmail(language, isShutOut),
    ])
  const subject = isUpheld ? texts.upheldSubject(values) : texts.paidSubject(values)
  return compose(language, subject, [
    isUpheld ? texts.upheld(values) : texts.paid(values),
    isShutOut ? texts.readShutOut : texts.read,
    { label: texts.button, link },
    whyByEmail(language, isShutOut),
  ])
}

export function payoutFailed({ language, link, isShutOut = false, ...about }: AboutMoney): Mail {
  const { subject, happened, next, button, retries } = TEXTS[language].payoutFailed
  const values = valuesOf(language, about)
  return compose(language, subject(values), [
    happened(values),
    next,
    { label: button, link },
    retries,
    whyByEmail(language, isShutOut),
  ])
}

/** Repeats the operator's answer, because a suspended or closed worker can't read it in the app. */
export function questionAnswered({
  language,
  answer,
  link,
  isShutOut = false,
}: To & { answer: string; link: string; isShutOut?: boolean }): Mail {
  const { questionAnswered: texts, ourReply, seeAccount } = TEXTS[language]
  return compose(language, texts.subject, [
    texts.happened,
    ourReply({ note: wordsIn(language, answer) }),
    isShutOut ? texts.nextShutOut : texts.next,
    { label: isShutOut ? seeAccount : texts.button, link },
    texts.noReplies,
    whyByEmail(language, isShutOut),
  ])
}

/** A decision on a worker's account. `reason` and `note` are the operator's words. */
interface AboutAccount extends To {
  kind: 'suspended' | 'closed'
  reason: string
  /** Titles of the tasks that the decision is based on. */
  tasks: string[]
}

export function accountShutOut({
  language,
  kind,
  reason,
  tasks,
  until,
  replyDays,
  link,
}: AboutAccount & { until: Date | null; replyDays: number; link: string }): Mail {
  const { accountShutOut: texts, days, suspensionEnds } = TEXTS[language]
  const titles = tasks.map((title) => titleIn(language, title))
  return compose(language, texts.subject[kind], [
    texts.happened[kind],
    texts.reason({ reason: wordsIn(language, reason) }),
    ...(titles.length === 0 ? [] : [texts.basedOn, { list: titles }]),
    until === null ? texts.noEnd : suspensionEnds({ until: timeIn(language, until) }),
    texts.money,
    texts.next({ days: pluralIn(language, replyDays, days) }),
    { label: texts.button, link },
    texts.samePage,
    texts.personal,
  ])
}

export function accountReinstated({
  language,
  why,
  note,
  link,
}: To & {
  why: 'time_passed' | 'operator' | 'objection' | 'no_reply'
  note: string | null
  link: string
}): Mail {
  const { accountReinstated: texts, ourReply } = TEXTS[language]
  return compose(language, texts.subject, [
    texts.happened[why],
    ...(note === null ? [] : [ourReply({ note: wordsIn(language, note) })]),
    texts.next,
    { label: texts.button, link },
  ])
}

export function objectionUpheld({
  language,
  kind,
  note,
  until,
}: To & Pick<AboutAccount, 'kind'> & { note: string; until: Date | null }): Mail {
  const { objectionUpheld: texts, ourReply, suspensionEnds } = TEXTS[language]
  return compose(language, texts.subject, [
    texts.happened[kind],
    ourReply({ note: wordsIn(language, note) }),
    until === null ? texts.final : suspensionEnds({ until: timeIn(language, until) }),
    texts.money,
  ])
}

export function passwordChanged({ language, link }: To & { link: string }): Mail {
  const { subject, happened, notYou, button } = TEXTS[language].passwordChanged
  return compose(language, subject, [happened, notYou, { label: button, link }])
}

export const emailConfirm = (mail: Confirming): Mail => confirming('emailConfirm', mail)

/** Asks to confirm an address. */
function confirming(
  kind: 'verification' | 'emailConfirm',
  { language, link, hours }: Confirming,
): Mail {
  const texts = TEXTS[language]
  const { subject, happened, next, button, expiry, notYou } = texts[kind]
  return compose(language, subject, [
    happened,
    next,
    { label: button, link },
    expiry({ hours: pluralIn(language, hours, texts.hours) }),
    notYou,
  ])
}

/** To the old address, which can stop the change. */
export function emailChanging({
  language,
  email,
  link,
}: To & { email: string; link: string }): Mail {
  const { subject, happened, next, notYou, button } = TEXTS[language].emailChanging
  return compose(language, subject, [
    happened({ email: wordsIn(language, email) }),
    next,
    notYou,
    { label: button, link },
  ])
}

/** To the old address, which can undo the change. */
export function emailChanged({
  language,
  email,
  until,
  link,
}: To & { email: string; until: Date; link: string }): Mail {
  const { subject, happened, notYou, button } = TEXTS[language].emailChanged
  return compose(language, subject, [
    happened({ email: wordsIn(language, email) }),
    notYou({ until: timeIn(language, until) }),
    { label: button, link },
  ])
}

export function accountClosing({
  language,
  until,
  link,
}: To & { until: Date; link: string }): Mail {
  const { subject, happened, meanwhile, money, keep, button, notYou } =
    TEXTS[language].accountClosing
  return compose(language, subject, [
    happened({ until: timeIn(language, until) }),
    meanwhile,
    money,
    keep,
    { label: button, link },
    notYou,
  ])
}

/** A balance that has no bank account to go to. The account is closed at `until` even so. */
export function closingWaits({
  language,
  cents,
  until,
  link,
}: To & { cents: number; until: Date; link: string }): Mail {
  const { subject, happened, next, button, otherwise } = TEXTS[language].closingWaits
  return compose(language, subject, [
    happened({ money: moneyIn(language, cents) }),
    next,
    { label: button, link },
    otherwise({ until: timeIn(language, until) }),
  ])
}

/** `cents` is what we still owe. `id` identifies the account, since we erase everything else that could. */
export function accountClosed({
  language,
  cents,
  id,
  link,
}: To & { cents: number; id: string; link: string }): Mail {
  const { subject, happened, kept, owed, again, more, button } = TEXTS[language].accountClosed
  return compose(language, subject, [
    happened,
    kept,
    ...(cents === 0
      ? []
      : [owed({ money: moneyIn(language, cents), id: isolatedIn(language, id) })]),
    again,
    more,
    { label: button, link },
  ])
}

const whyByEmail = (language: Language, isShutOut: boolean) =>
  isShutOut ? TEXTS[language].withoutLogin : TEXTS[language].whyByEmail

const valuesOf = (language: Language, { cents, title }: { cents: number; title: string }) => ({
  money: moneyIn(language, cents),
  title: titleIn(language, title),
})

const TITLE_MAX = 80
const LINK = /\S*(?::\/\/|www\.)\S*|\S+@\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}\S*/giu

/** Puts an agent's title on one line and removes anything that an email client would turn into a link. */
function titleIn(language: Language, title: string): string {
  const line = oneLine(title.replaceAll(LINK, '…'))
  const letters = Array.from(line)
  const shown = letters.length <= TITLE_MAX ? line : `${letters.slice(0, TITLE_MAX - 1).join('')}…`
  return isolatedIn(language, shown)
}

const wordsIn = (language: Language, text: string) => isolatedIn(language, oneLine(text))

const oneLine = (text: string) => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
