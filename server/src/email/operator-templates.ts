/** Emails to operators, in English. */
import { counted } from '../kit/words.ts'
import { compose, type Mail } from './compose.ts'

export function invitation({
  link,
  inviter,
  role,
  hours,
}: {
  link: string
  inviter: string
  role: string
  hours: number
}): Mail {
  return compose('en', 'You’re invited to the Legwork desk', [
    `${inviter} invited you to the desk, where operators run Legwork. Your role is ${role}.`,
    'Open this link on the device that you work with, and create a passkey:',
    { label: 'Join the desk', link },
    `The link works once, for ${counted(hours, 'hours')}. Only the newest link works. Do not forward it.`,
    NOT_YOURS,
  ])
}

export function newPasskey({ link, hours }: { link: string; hours: number }): Mail {
  return compose('en', 'Create a new passkey for the Legwork desk', [
    'An administrator sent you this link because you can no longer sign in to the desk. Open it ' +
      'on the device that you work with, and create a passkey:',
    { label: 'Create a passkey', link },
    `The link works once, for ${counted(hours, 'hours')}. Only the newest link works. Do not forward it.`,
    'Your other passkeys still work. Remove those of devices that you no longer have.',
    'If you didn’t ask for this, tell an administrator.',
  ])
}

/** To all administrators, so that nobody gives a role unnoticed. */
export function roleGiven({
  name,
  email,
  role,
  by,
  link,
}: {
  name: string
  email: string
  role: string
  by: string
  link: string
}): Mail {
  return compose('en', `${name} has the role ${role} on the Legwork desk`, [
    'An operator was invited, got another role, or was enabled again:',
    { list: [`Operator: ${name} (${email})`, `Role: ${role}`, `By: ${by}`] },
    'If you didn’t expect this, disable the account and look into the audit log.',
    { label: 'Open the team', link },
  ])
}

const NOT_YOURS = 'If you don’t work for Legwork, ignore this email: somebody mistyped an address.'
