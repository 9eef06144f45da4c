import nodemailer from 'nodemailer'
import type { Config } from '../config.ts'
import { inSpan, SpanKind } from '../kit/traces.ts'
import type { Mail } from './compose.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

type MailConfig = Pick<Config, 'NODE_ENV' | 'SMTP_URL' | 'MAIL_FROM'>
type Transport = ReturnType<typeof openTransport>

const opened = new WeakMap<MailConfig, Transport>()

/** Sends one email; when this returns, the mail server has accepted it. */
export async function sendMail(config: MailConfig, to: string, mail: Mail): Promise<void> {
  const transport = opened.get(config) ?? openTransport(config)
  opened.set(config, transport)
  await inSpan('send mail', { kind: SpanKind.CLIENT }, () =>
    transport
      .sendMail({
        from: config.MAIL_FROM,
        to: { name: '', address: to },
        ...mail,
        // Suppresses out-of-office replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      .catch((error: unknown) => {
        throw new Error(describe(error))
      }),
  )
}

/** Call on shutdown: connections stay open between emails. */
export async function closeMail(config: MailConfig): Promise<void> {
  opened.get(config)?.close()
  opened.delete(config)
}

function openTransport({ NODE_ENV, SMTP_URL, MAIL_FROM }: MailConfig) {
  if (SMTP_URL === undefined || MAIL_FROM === undefined) throw new Error('SMTP_URL is not set')
  return nodemailer.createTransport({
    url: SMTP_URL,
    pool: true,
    maxConnections: 4,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A server that offers no encryption could be a man in the middle. SMTP_URL may override this.
    requireTLS: NODE_ENV === 'production',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** The mail server's message contains the recipient's address, which must not be logged. */
function describe(error: unknown): string {
  const { code = '', command = '', responseCode = '' } = error as Record<string, string | undefined>
  const about = [code, command, responseCode].filter((part) => part !== '').join(' ')
  return `the mail server did not accept an email (${about})`
}
