import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertSameInHtml } from '../../test/mails.ts'
import type { Mail } from './compose.ts'
import { type Language, LANGUAGES } from './languages.ts'
import * as templates from './templates.ts'

const LINK = 'https://legwork.example/verify?token=abc'
const TITLE = 'Photograph 7-Eleven'
const until = new Date('2026-11-16T15:05:00Z')

/** `$4.10`, the time and the counts of the mails below, as each language writes them. */
const FORMATS: Record<Language, { money: string; time: string }> = {
  en: { money: '$4.10', time: 'November 16, 2026 at 3:05 PM UTC' },
  es: { money: 'USD 4.10', time: '16 de noviembre de 2026 a las 3:05 p.m. UTC' },
  ar: { money: '\u2066$4.10\u2069', time: '16 نوفمبر 2026 في 3:05 م UTC' },
  'pt-BR': { money: 'US$ 4,10', time: '16 de novembro de 2026 às 15:05 UTC' },
  fr: { money: '4,10 $US', time: '16 novembre 2026 à 15:05 UTC' },
  de: { money: '4,10 $', time: '16. November 2026 um 15:05 UTC' },
}

/** Counted nouns for 1, 2, 5, 11 and 100. */
const COUNTED: Record<Language, { hours: string[]; minutes: string[]; days: string[] }> = {
  en: {
    hours: ['1 hour', '2 hours', '5 hours', '11 hours', '100 hours'],
    minutes: ['1 minute', '2 minutes', '5 minutes', '11 minutes', '100 minutes'],
    days: ['1 day', '2 days', '5 days', '11 days', '100 days'],
  },
  es: {
    hours: ['1 hora', '2 horas', '5 horas', '11 horas', '100 horas'],
    minutes: ['1 minuto', '2 minutos', '5 minutos', '11 minutos', '100 minutos'],
    days: ['1 día', '2 días', '5 días', '11 días', '100 días'],
  },
  ar: {
    hours: ['ساعة واحدة', 'ساعتين', '5 ساعات', '11 ساعة', '100 ساعة'],
    minutes: ['دقيقة واحدة', 'دقيقتين', '5 دقائق', '11 دقيقة', '100 دقيقة'],
    days: ['يوم واحد', 'يومين', '5 أيام', '11 يومًا', '100 يوم'],
  },
  'pt-BR': {
    hours: ['1 hora', '2 horas', '5 horas', '11 horas', '100 horas'],
    minutes: ['1 minuto', '2 minutos', '5 minutos', '11 minutos', '100 minutos'],
    days: ['1 dia', '2 dias', '5 dias', '11 dias', '100 dias'],
  },
  fr: {
    hours: ['1 heure', '2 heures', '5 heures', '11 heures', '100 heures'],
    minutes: ['1 minute', '2 minutes', '5 minutes', '11 minutes', '100 minutes'],
    days: ['1 jour', '2 jours', '5 jours', '11 jours', '100 jours'],
  },
  de: {
    hours: ['1 Stunde', '2 Stunden', '5 Stunden', '11 Stunden', '100 Stunden'],
    minutes: ['1 Minute', '2 Minuten', '5 Minuten', '11 Minuten', '100 Minuten'],
    days: ['1 Tag', '2 Tagen', '5 Tagen', '11 Tagen', '100 Tagen'],
  },
}

describe('every email to a worker', () => {
  test('is tested below', () => {
    const names = new Set(mailsIn('en').map(({ name }) => name.split(' ')[0]!))
    assert.deepEqual([...names].sort(), Object.keys(templates).sort())
  })

  for (const language of LANGUAGES)
    describe(`in ${language}`, () => {
      for (const { name, mail, says } of mailsIn(language))
        test(`${name}: values, link, language and direction`, () => {
          assert.doesNotMatch(mail.subject, /[\n\r]/)
          assert(mail.subject.length > 10 && mail.subject.length < 80, mail.subject)
          if (name !== 'objectionUpheld' && !name.startsWith('objectionUpheld '))
            assert(plain(mail.text).includes(`\n\n${LINK}\n\n`), 'the link is alone on its line')
          for (const value of says) assert(plain(mail.text).includes(plain(value)), value)
          assert.doesNotMatch(mail.text, /undefined|null|NaN|#|\$\{/)
          const attributes = `lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`
          assert(
            mail.html.includes(`<html ${attributes}>`) && mail.html.includes(`<div ${attributes}`),
          )
          assertSameInHtml(mail)
        })

      test('counts with the plural forms of the language', () => {
        for (const [i, count] of [1, 2, 5, 11, 100].entries()) {
          const { hours, minutes, days } = COUNTED[language]
          const mails: [Mail, string][] = [
            [templates.verification({ language, link: LINK, hours: count }), hours[i]!],
            [templates.passwordReset({ language, link: LINK, minutes: count }), minutes[i]!],
            [shutOut(language, { replyDays: count }), days[i]!],
          ]
          for (const [{ text }, counted] of mails)
            assert.match(
              plain(text),
              new RegExp(`(?<![\\p{L}\\p{N}])${counted}(?![\\p{L}\\p{N}])`, 'u'),
            )
        }
      })

      test('contains nothing of an agent to click on', () => {
        const title = 'Win at https://evil.example/x or www.evil.example,\n mail a@evil.example'
        for (const { name, mail } of mailsIn(language, title)) {
          assert.doesNotMatch(mail.subject + mail.text + mail.html, /evil/, name)
          assert.doesNotMatch(mail.subject, /[\n\r]/, name)
        }
      })
    })
})

describe('a translated email', () => {
  for (const language of LANGUAGES.filter((one) => one !== 'en'))
    test(`in ${language} has no English sentence or label left`, () => {
      const english = new Set(mailsIn('en').flatMap(({ mail }) => linesOf(mail)))
      for (const { name, mail } of mailsIn(language))
        assert.deepEqual(
          linesOf(mail).filter((line) => english.has(line)),
          [],
          name,
        )
      const words = mailsIn(language).flatMap(({ mail }) => linesOf(mail))
      assert.doesNotMatch(words.join('\n'), /\b(?:the|your|you|this|with|not|we)\b/i)
    })

  test('in Arabic starts every paragraph with an Arabic letter, so that plain text is shown from the right', () => {
    for (const { name, mail } of mailsIn('ar'))
      for (const line of linesOf(mail)) assert.match(line, /^\p{Script=Arabic}/u, name)
  })

  test('keeps a title of the other direction apart', () => {
    const titleIn = (language: Language, title: string) =>
      templates.disputeHeld({ language, cents: 1, title, until, link: LINK }).subject

    assert.match(titleIn('ar', 'Shop'), /: \u2068Shop\u2069$/)
    assert.match(titleIn('ar', 'متجر'), /: متجر$/)
    assert.match(titleIn('en', 'متجر'), /: \u2068متجر\u2069$/)
    assert.match(titleIn('en', 'Shop'), /: Shop$/)
    // An agent can't end the isolate.
    assert.match(titleIn('ar', 'Sh\u2069op'), /: \u2068Sh op\u2069$/)
  })
})

describe('an email in English', () => {
  for (const [words, mail, life] of [
    ['that asks to confirm an address', verify('en'), 'for 24 hours'],
    ['to a new password', reset('en'), 'once, for 30 minutes'],
    ['to somebody who is already registered', known('en'), 'already confirmed'],
  ] as const)
    test(`${words} says what happened, what to do, when the link expires, and what if it was not you`, () => {
      assert.match(mail.text, /^Hello,\n\nSomeone, most likely you, (?:registered|requested) /)
      assert(mail.text.includes(life))
      assert.match(mail.text, /\n\nIf this wasn’t you, ignore this email\. /)
    })

  test('has no pictures, scripts or external content', () => {
    const { html } = verify('en')

    assert.doesNotMatch(html, /<(?:img|script|link|iframe|object)|url\(|@import/)
    assert.deepEqual([...new Set(html.match(/https?:[^"<]+/g))], [LINK])
  })

  test('escapes its values', () => {
    const link = `https://x.example/"><script>'&`
    const { html } = templates.verification({ language: 'en', link, hours: 1 })

    assert(html.includes('https://x.example/&quot;&gt;&lt;script&gt;&#39;&amp;'))
    assert(!html.includes('<script>'))
  })
})

function verify(language: Language): Mail {
  return templates.verification({ language, link: LINK, hours: 24 })
}
function reset(language: Language): Mail {
  return templates.passwordReset({ language, link: LINK, minutes: 30 })
}
function known(language: Language): Mail {
  return templates.alreadyRegistered({ language, link: LINK })
}
function shutOut(language: Language, { replyDays = 14, title = TITLE } = {}): Mail {
  const about = { kind: 'suspended', reason: 'Copied photos', tasks: [title], until } as const
  return templates.accountShutOut({ language, ...about, tasks: [title], replyDays, link: LINK })
}

interface Case {
  name: string
  mail: Mail
  /** Values that the text contains. */
  says: string[]
}

/** Every email, in all its variants. */
function mailsIn(language: Language, title = TITLE): Case[] {
  const { money, time } = FORMATS[language]
  const to = { language, link: LINK }
  const shown = title === TITLE ? [TITLE] : []
  const cases: Case[] = [
    { name: 'verification', mail: verify(language), says: ['24'] },
    { name: 'passwordReset', mail: reset(language), says: ['30'] },
    { name: 'alreadyRegistered', mail: known(language), says: [] },
    { name: 'emailConfirm', mail: templates.emailConfirm({ ...to, hours: 24 }), says: ['24'] },
    {
      name: 'emailChanging',
      mail: templates.emailChanging({ ...to, email: 'new@example.com' }),
      says: ['new@example.com'],
    },
    {
      name: 'emailChanged',
      mail: templates.emailChanged({ ...to, email: 'new@example.com', until }),
      says: ['new@example.com', FORMATS[language].time],
    },
    { name: 'passwordChanged', mail: templates.passwordChanged(to), says: [] },
    {
      name: 'accountClosing',
      mail: templates.accountClosing({ ...to, until }),
      says: [FORMATS[language].time],
    },
    {
      name: 'closingWaits',
      mail: templates.closingWaits({ ...to, cents: 410, until }),
      says: [FORMATS[language].money, FORMATS[language].time],
    },
    {
      name: 'accountClosed',
      mail: templates.accountClosed({ ...to, cents: 0, id: 'worker_1' }),
      says: ['Stripe'],
    },
    {
      name: 'accountClosed with a balance',
      mail: templates.accountClosed({ ...to, cents: 410, id: 'worker_1' }),
      says: [FORMATS[language].money, 'worker_1'],
    },
  ]
  for (const isShutOut of [false, true]) {
    const about = { ...to, cents: 410, title, isShutOut }
    const who = isShutOut ? ' without a login' : ''
    const { workDisputed, disputeHeld, disputeDecided, payoutFailed, questionAnswered } = templates
    cases.push(
      {
        name: `workDisputed${who}`,
        mail: workDisputed({ ...about, until }),
        says: [money, time, ...shown],
      },
      {
        name: `disputeHeld${who}`,
        mail: disputeHeld({ ...about, until }),
        says: [money, time, ...shown],
      },
      {
        name: `disputeDecided for the worker${who}`,
        mail: disputeDecided({ ...about, isUpheld: false }),
        says: [money, ...shown],
      },
      {
        name: `disputeDecided for the agent${who}`,
        mail: disputeDecided({ ...about, isUpheld: true }),
        says: shown,
      },
      {
        name: `disputeDecided before the task is settled${who}`,
        mail: disputeDecided({ ...about, isUpheld: false, isPaid: false }),
        says: shown,
      },
      { name: `payoutFailed${who}`, mail: payoutFailed(about), says: [money, ...shown] },
      {
        name: `questionAnswered${who}`,
        mail: questionAnswered({ ...to, answer: 'It was sent.\n\nLook again.', isShutOut }),
        says: ['It was sent. Look again.'],
      },
    )
  }
  const { accountShutOut, accountReinstated, objectionUpheld } = templates
  cases.push({
    name: 'accountShutOut suspended',
    mail: shutOut(language, { title }),
    says: ['Copied photos', time, '14', ...shown],
  })
  const closed = { kind: 'closed', reason: 'Copied photos', tasks: [], until: null } as const
  cases.push({
    name: 'accountShutOut closed',
    mail: accountShutOut({ ...to, ...closed, tasks: [], replyDays: 14 }),
    says: ['Copied photos', '14'],
  })
  for (const why of ['time_passed', 'operator', 'objection', 'no_reply'] as const)
    cases.push({
      name: `accountReinstated ${why}`,
      mail: accountReinstated({ ...to, why, note: why === 'operator' ? 'A mix-up' : null }),
      says: why === 'operator' ? ['A mix-up'] : [],
    })
  cases.push(
    {
      name: 'objectionUpheld suspended',
      mail: objectionUpheld({ language, kind: 'suspended', note: 'Old photos', until }),
      says: ['Old photos', time],
    },
    {
      name: 'objectionUpheld closed',
      mail: objectionUpheld({ language, kind: 'closed', note: 'Old photos', until: null }),
      says: ['Old photos'],
    },
  )
  return cases
}

/** Without isolates around titles, and with ordinary spaces. */
const plain = (text: string) =>
  text.replaceAll(/[\u2068\u2069\u2066]/g, '').replaceAll(/[\u00A0\u202F]/g, ' ')

/** The sentences and labels of an email, without its values and signature. */
function linesOf({ subject, text, html }: Mail): string[] {
  const labels = [...html.matchAll(/<a [^>]*>([^<]*)<\/a>|<p [^>]*>([^<]*)<br>/g)].map(
    ([, label, intro]) => label ?? intro!,
  )
  return [subject, ...text.split('\n'), ...labels].filter(
    (line) => line !== '' && line !== 'Legwork' && line !== LINK && !line.startsWith('- '),
  )
}
