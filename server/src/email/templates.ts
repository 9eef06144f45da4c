/**
 * What our mails say: what happened, what to do next, how long the link lives, and what if it was not you. None
 * greets by name: a name is chosen by whoever registers, and could carry a message of theirs to a stranger.
 */
import { escapeHtml } from '../kit/html.ts'

export interface Mail {
  subject: string
  text: string
  html: string
}

export function verification({ link, hours }: { link: string; hours: number }): Mail {
  return write({
    subject: 'Confirm your e-mail address for Legwork',
    happened: 'Someone, most likely you, has registered with this address as a worker on Legwork.',
    next: 'Confirm the address, then log in and pick your first task:',
    action: { label: 'Confirm my e-mail address', link },
    lives: `The link works for ${counted(hours, 'hour')}. After that it offers you a new one.`,
    otherwise: 'If it was not you, ignore this mail: without the link, nobody can use the account.',
  })
}

export function passwordReset({ link, minutes }: { link: string; minutes: number }): Mail {
  return write({
    subject: 'Choose a new password for Legwork',
    happened: 'Someone, most likely you, has asked for a new password for your Legwork account.',
    next: 'Choose one here. You will be logged out everywhere, and log in with the new one:',
    action: { label: 'Choose a new password', link },
    lives: `The link works once, for ${counted(minutes, 'minute')}. Only the newest one counts.`,
    otherwise: 'If it was not you, ignore this mail: your password stays as it is.',
  })
}

export function alreadyRegistered({ link }: { link: string }): Mail {
  return write({
    subject: 'You are registered with Legwork already',
    happened:
      'Someone, most likely you, has asked for another link to confirm this address. It is confirmed already.',
    next: 'Just log in with your password. If you have forgotten it, ask for a new one:',
    action: { label: 'I have forgotten my password', link },
    lives: 'There is nothing else to do.',
    otherwise: 'If it was not you, ignore this mail: nothing has changed.',
  })
}

interface Letter {
  subject: string
  happened: string
  next: string
  action: { label: string; link: string }
  lives: string
  otherwise: string
}

function write({ subject, happened, next, action, lives, otherwise }: Letter): Mail {
  const text = ['Hello,', happened, next, action.link, lives, otherwise, 'Legwork'].join('\n\n')
  const link = escapeHtml(action.link)
  const gap = 'margin:0 0 16px'
  const button =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#1a56db;color:#ffffff;text-decoration:none'
  const paragraph = (words: string) => `<p style="${gap}">${escapeHtml(words)}</p>`
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
${paragraph('Hello,')}
${paragraph(happened)}
${paragraph(next)}
<p style="${gap}"><a href="${link}" style="${button}">${escapeHtml(action.label)}</a></p>
<p style="${gap}">Or open this address:<br><a href="${link}" style="word-break:break-all">${link}</a></p>
${paragraph(lives)}
${paragraph(otherwise)}
${paragraph('Legwork')}
</div>
</body>
</html>
`
  return { subject, text: `${text}\n`, html }
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`
