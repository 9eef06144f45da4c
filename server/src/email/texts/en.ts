/** The texts of emails to workers, in English, the source of all translations. See web/worker/text/README.md. */
import type { PluralForms } from '../formats.ts'

export const en = {
  greeting: 'Hello,',
  linkIntro: 'Or open this link:',

  hours: { one: '# hour', other: '# hours' } as PluralForms,
  minutes: { one: '# minute', other: '# minutes' } as PluralForms,
  days: { one: '# day', other: '# days' } as PluralForms,

  verification: {
    subject: 'Confirm your email address for Legwork',
    happened:
      'Someone, most likely you, registered as a worker on Legwork with this email address.',
    next: 'Confirm the address, then log in and choose your first task:',
    button: 'Confirm my email address',
    expiry: ({ hours }: { hours: string }) =>
      `The link works for ${hours}. After that, you can request a new one on the same page.`,
    notYou: 'If this wasn’t you, ignore this email. Nobody can use the account without the link.',
  },

  passwordReset: {
    subject: 'Choose a new password for Legwork',
    happened: 'Someone, most likely you, requested a new password for your Legwork account.',
    next: 'Choose one here. You will be logged out everywhere and can log in with the new password:',
    button: 'Choose a new password',
    expiry: ({ minutes }: { minutes: string }) =>
      `The link works once, for ${minutes}. Only the newest link is valid.`,
    notYou: 'If this wasn’t you, ignore this email. Your password stays the same.',
  },

  alreadyRegistered: {
    subject: 'You are already registered with Legwork',
    happened:
      'Someone, most likely you, requested another link to confirm this address. It is already confirmed.',
    next: 'Log in with your password. If you forgot it, choose a new one:',
    button: 'I forgot my password',
    notYou: 'If this wasn’t you, ignore this email. Nothing has changed.',
  },

  workDisputed: {
    subject: ({ money, title }: { money: string; title: string }) => `${money} disputed: ${title}`,
    happened: ({ money, title }: { money: string; title: string }) =>
      `The agent says that your work for “${title}” does not meet the request, and has taken back the ${money} for it.`,
    next: ({ until }: { until: string }) =>
      `If you disagree, appeal by ${until}. Read the reason and appeal here:`,
    button: 'Read the reason and appeal',
    otherwise: 'If you don’t appeal, the work is not paid.',
  },

  disputeHeld: {
    subject: ({ title }: { title: string }) => `We are reviewing a dispute: ${title}`,
    happened: ({ title }: { title: string }) =>
      `The agent says that your work for “${title}” does not meet the request. It has disputed a lot of work within ` +
      'a day, so a person at Legwork decides before the dispute takes effect.',
    decidedBy: ({ until, money }: { until: string; money: string }) =>
      `We will decide by ${until}. If we don’t, the dispute has no effect and you get your ${money}.`,
    next: 'You don’t have to do anything now. If we uphold the dispute, we will let you know, and you can appeal.',
    button: 'Read the agent’s reason',
  },

  disputeDecided: {
    upheldSubject: ({ title }: { title: string }) => `Dispute upheld: ${title}`,
    upheld: ({ title }: { title: string }) =>
      `We have reviewed the dispute about “${title}”. It was upheld, so you are not paid for this work.`,
    paidSubject: ({ money, title }: { money: string; title: string }) =>
      `You get ${money}: ${title}`,
    paid: ({ money, title }: { money: string; title: string }) =>
      `The dispute about “${title}” was decided. You get ${money}, which is paid out with your other earnings.`,
    read: 'Read the reason here:',
    readShutOut: 'Read the reason and see what you are owed here:',
    button: 'Read the decision',
    unsettledSubject: ({ title }: { title: string }) => `The dispute has no effect: ${title}`,
    unsettled: ({ title }: { title: string }) =>
      `The dispute about “${title}” has no effect. Your proof can’t be disputed again, and you are paid when the ` +
      'task is settled.',
    unsettledButton: 'See the task',
  },

  payoutFailed: {
    subject: ({ money, title }: { money: string; title: string }) =>
      `${money} could not be paid out: ${title}`,
    happened: ({ money, title }: { money: string; title: string }) =>
      `Your ${money} for “${title}” did not reach your payout account. The money is still yours.`,
    next: 'Check your payout account:',
    button: 'Check my payout account',
    retries:
      'We will try again automatically over the next two weeks. If it still fails, our team will look into it.',
  },

  questionAnswered: {
    subject: 'We answered your question',
    happened: 'A person on our team has answered your question.',
    next: 'Open your question in the app:',
    nextShutOut:
      'You can’t write again while your account is suspended or closed. This page shows why:',
    button: 'Open my question',
    noReplies: 'We can’t read replies to this email.',
  },

  seeAccount: 'See your account',
  whyByEmail:
    'You got this email because we could not notify any of your devices. You can turn notifications on or off in the ' +
    'app.',
  withoutLogin:
    'You can’t log in because your account is suspended or closed. The link above works without a login. It is ' +
    'personal, so don’t forward this email.',

  accountShutOut: {
    subject: {
      suspended: 'Your Legwork account is suspended',
      closed: 'Your Legwork account is closed',
    },
    happened: {
      suspended:
        'We have suspended your Legwork account. You are logged out on all devices and can’t accept tasks.',
      closed:
        'We have closed your Legwork account. You are logged out on all devices and can no longer accept tasks.',
    },
    reason: ({ reason }: { reason: string }) => `Reason: ${reason}`,
    basedOn: 'We based this decision on these tasks:',
    noEnd: 'The decision has no end date.',
    money:
      'Money you have earned is still paid. Work you have sent is reviewed and paid as usual. Tasks you had accepted ' +
      'were released, and that does not affect your trust score.',
    next: ({ days }: { days: string }) =>
      `If you disagree, tell us why. A person will reply within ${days}. If nobody replies in time, your account is ` +
      'reinstated.',
    button: 'Object to this decision',
    samePage:
      'On the same page you can add or change your bank account, and appeal if work you have sent is disputed.',
    personal: 'The link is personal, so don’t forward this email.',
  },

  accountReinstated: {
    subject: 'Your Legwork account is active again',
    happened: {
      time_passed: 'The suspension of your Legwork account has ended.',
      operator: 'We have reinstated your Legwork account.',
      objection: 'We agree with your objection and have reinstated your Legwork account.',
      no_reply:
        'We did not reply to your objection in time, so we have reinstated your Legwork account.',
    },
    next: 'You can log in and accept tasks again:',
    button: 'Log in',
  },

  objectionUpheld: {
    subject: 'Our reply to your objection',
    happened: {
      suspended: 'We have reviewed your objection. Your Legwork account stays suspended.',
      closed: 'We have reviewed your objection. Your Legwork account stays closed.',
    },
    final: 'This decision is final on our side.',
    money:
      'Money you have earned is still paid. To add or change your bank account, use the link in our earlier email, ' +
      'or log in with your password to get a new one.',
  },

  passwordChanged: {
    subject: 'Your Legwork password was changed',
    happened:
      'The password of your Legwork account was changed in the app. Other devices are logged out.',
    notYou: 'If this wasn’t you, choose a new password now. That logs everybody out:',
    button: 'Choose a new password',
  },

  emailConfirm: {
    subject: 'Confirm your new email address for Legwork',
    happened:
      'Someone, most likely you, wants to use this address for their Legwork account from now on.',
    next: 'Confirm the address. Until then, your old address stays in use:',
    button: 'Confirm my new address',
    expiry: ({ hours }: { hours: string }) => `The link works for ${hours}.`,
    notYou: 'If this wasn’t you, ignore this email. Nothing changes.',
  },

  emailChanging: {
    subject: 'Someone wants to change your Legwork email',
    happened: ({ email }: { email: string }) =>
      `Someone who knows your password, most likely you, wants to change the email of your Legwork account to ` +
      `${email}.`,
    next: 'If this was you, confirm the new address with the link we sent there.',
    notYou:
      'If this wasn’t you, stop the change. We log everybody out and email you a link to choose a new ' +
      'password:',
    button: 'Stop: this wasn’t me',
  },

  emailChanged: {
    subject: 'Your Legwork email was changed',
    happened: ({ email }: { email: string }) =>
      `The email of your Legwork account is now ${email}. Log in with that address from now on.`,
    notYou: ({ until }: { until: string }) =>
      `If this wasn’t you, undo the change by ${until}. This address is used again, we log everybody out, and we ` +
      'email you a link to choose a new password:',
    button: 'Undo: this wasn’t me',
  },

  accountClosing: {
    subject: 'Your Legwork account will be closed',
    happened: ({ until }: { until: string }) =>
      `You asked us to close your Legwork account. We close it on ${until}, once all your work is reviewed and all ` +
      'your money is paid out.',
    meanwhile: 'Until then you can log in as usual, but you see no new tasks.',
    money:
      'Earned money is paid first, however little it is. If you have no bank account in the app yet, add one now.',
    keep: 'Changed your mind? Keep your account:',
    button: 'Keep my account',
    notYou:
      'If this wasn’t you, someone knows your password. Keep your account, then choose a new password in the app.',
  },

  closingWaits: {
    subject: 'Add a bank account so we can pay you',
    happened: ({ money }: { money: string }) =>
      `You asked us to close your Legwork account, but we still owe you ${money} and have no bank account to send ` +
      'it to.',
    next: 'Add your bank account. We then pay you and close your Legwork account:',
    button: 'Add my bank account',
    otherwise: ({ until }: { until: string }) =>
      `If you don’t, we close your Legwork account on ${until}. We keep owing you the money, and you can claim it ` +
      'by writing to us.',
  },

  accountClosed: {
    subject: 'Your Legwork account is closed',
    happened:
      'We have closed your Legwork account and erased your name, email, password, profile, devices and ' +
      'notifications. This is our last email to you.',
    kept:
      'The law requires us to keep records of payments. They have a number instead of your name. Your proofs stay ' +
      'with the agents you worked for, without your name. Stripe keeps its own records.',
    owed: ({ money, id }: { money: string; id: string }) =>
      `We still owe you ${money}. To claim it, write to us and give this number: ${id}`,
    again: 'You can join again with this email address at any time.',
    more: 'What we keep, and for how long:',
    button: 'Read our privacy policy',
  },

  suspensionEnds: ({ until }: { until: string }) =>
    `The suspension ends on ${until}. You can log in again from then on.`,
  ourReply: ({ note }: { note: string }) => `Our reply: ${note}`,
}

/** All languages have these texts. A translation that lacks one does not compile. */
export type Texts = typeof en
