/** French for Europe, Canada and Africa, with vous and without participles that agree with the reader. */
import type { Texts } from './en.ts'

export const fr: Texts = {
  greeting: 'Bonjour,',
  linkIntro: 'Ou ouvrez ce lien\u00A0:',

  hours: { one: '#\u00A0heure', other: '#\u00A0heures' },
  minutes: { one: '#\u00A0minute', other: '#\u00A0minutes' },
  days: { one: '#\u00A0jour', other: '#\u00A0jours' },

  verification: {
    subject: 'Confirmez votre e-mail pour Legwork',
    happened:
      'Quelqu’un, sans doute vous, a créé un compte pour travailler sur Legwork avec cette adresse e-mail.',
    next: 'Confirmez l’adresse, puis connectez-vous et choisissez votre première mission\u00A0:',
    button: 'Confirmer mon e-mail',
    expiry: ({ hours }) =>
      `Le lien est valable ${hours}. Ensuite, vous pouvez en demander un nouveau sur la même page.`,
    notYou:
      'Si ce n’était pas vous, ignorez cet e-mail. Personne ne peut utiliser le compte sans le lien.',
  },

  passwordReset: {
    subject: 'Choisissez un nouveau mot de passe pour Legwork',
    happened:
      'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour votre compte Legwork.',
    next:
      'Choisissez-le ici. Votre session se fermera sur tous les appareils, et vous pourrez vous connecter avec le ' +
      'nouveau mot de passe\u00A0:',
    button: 'Choisir un nouveau mot de passe',
    expiry: ({ minutes }) =>
      `Le lien fonctionne une seule fois, pendant ${minutes}. Seul le lien le plus récent est valable.`,
    notYou: 'Si ce n’était pas vous, ignorez cet e-mail. Votre mot de passe ne change pas.',
  },

  alreadyRegistered: {
    subject: 'Vous avez déjà un compte Legwork',
    happened:
      'Quelqu’un, sans doute vous, a demandé un autre lien pour confirmer cette adresse. Elle est déjà confirmée.',
    next: 'Connectez-vous avec votre mot de passe. Si vous l’avez oublié, choisissez-en un nouveau\u00A0:',
    button: 'J’ai oublié mon mot de passe',
    notYou: 'Si ce n’était pas vous, ignorez cet e-mail. Rien n’a changé.',
  },

  workDisputed: {
    subject: ({ money, title }) => `${money} contestés\u00A0: ${title}`,
    happened: ({ money, title }) =>
      `L’agent dit que votre travail pour «\u00A0${title}\u00A0» ne répond pas à la demande, et a repris les ` +
      `${money} prévus.`,
    next: ({ until }) =>
      `Si vous n’êtes pas d’accord, faites appel avant le ${until}. Lisez le motif et faites appel ici\u00A0:`,
    button: 'Lire le motif et faire appel',
    otherwise: 'Si vous ne faites pas appel, le travail n’est pas payé.',
  },

  disputeHeld: {
    subject: ({ title }) => `Nous examinons une contestation\u00A0: ${title}`,
    happened: ({ title }) =>
      `L’agent dit que votre travail pour «\u00A0${title}\u00A0» ne répond pas à la demande. Il a contesté beaucoup ` +
      'de travaux en une journée. Une personne de Legwork décide donc avant que la contestation prenne effet.',
    decidedBy: ({ until, money }) =>
      `Nous déciderons avant le ${until}. Sinon, la contestation reste sans effet et vous recevez vos ${money}.`,
    next:
      'Vous n’avez rien à faire pour le moment. Si nous confirmons la contestation, nous vous préviendrons et vous ' +
      'pourrez faire appel.',
    button: 'Lire le motif de l’agent',
  },

  disputeDecided: {
    upheldSubject: ({ title }) => `Contestation confirmée\u00A0: ${title}`,
    upheld: ({ title }) =>
      `Nous avons examiné la contestation concernant «\u00A0${title}\u00A0». Elle est confirmée, donc ce travail ` +
      'n’est pas payé.',
    paidSubject: ({ money, title }) => `Vous recevez ${money}\u00A0: ${title}`,
    paid: ({ money, title }) =>
      `La contestation concernant «\u00A0${title}\u00A0» est tranchée. Vous recevez ${money}, versés avec vos autres ` +
      'gains.',
    read: 'Lisez le motif ici\u00A0:',
    readShutOut: 'Lisez le motif et voyez ce qui vous est dû ici\u00A0:',
    button: 'Lire la décision',
    unsettledSubject: ({ title }) => `La contestation est sans effet\u00A0: ${title}`,
    unsettled: ({ title }) =>
      `La contestation concernant «\u00A0${title}\u00A0» est sans effet. Votre preuve ne peut plus être contestée, ` +
      'et vous recevez le paiement quand la mission est réglée.',
    unsettledButton: 'Voir la mission',
  },

  payoutFailed: {
    subject: ({ money, title }) => `Le versement de ${money} a échoué\u00A0: ${title}`,
    happened: ({ money, title }) =>
      `Vos ${money} pour «\u00A0${title}\u00A0» ne sont pas arrivés sur votre compte de versement. L’argent est ` +
      'toujours à vous.',
    next: 'Vérifiez votre compte de versement\u00A0:',
    button: 'Vérifier mon compte de versement',
    retries:
      'Nous réessayons automatiquement pendant deux semaines. Si le versement échoue encore, notre équipe s’en occupe.',
  },

  questionAnswered: {
    subject: 'Nous avons répondu à votre question',
    happened: 'Une personne de notre équipe a répondu à votre question.',
    next: 'Ouvrez votre question dans l’application\u00A0:',
    nextShutOut:
      'Vous ne pouvez pas nous réécrire tant que votre compte est suspendu ou fermé. Cette page explique ' +
      'pourquoi\u00A0:',
    button: 'Ouvrir ma question',
    noReplies: 'Nous ne pouvons pas lire les réponses à cet e-mail.',
  },

  seeAccount: 'Voir mon compte',
  whyByEmail:
    'Vous recevez cet e-mail parce que nous n’avons pu envoyer de notification à aucun de vos appareils. Vous pouvez ' +
    'activer ou désactiver les notifications dans l’application.',
  withoutLogin:
    'Vous ne pouvez pas vous connecter, car votre compte est suspendu ou fermé. Le lien ci-dessus fonctionne sans ' +
    'connexion. Il est personnel, alors ne transférez pas cet e-mail.',

  accountShutOut: {
    subject: {
      suspended: 'Votre compte Legwork est suspendu',
      closed: 'Votre compte Legwork est fermé',
    },
    happened: {
      suspended:
        'Nous avons suspendu votre compte Legwork. Votre session est fermée sur tous les appareils et vous ne pouvez ' +
        'pas accepter de missions.',
      closed:
        'Nous avons fermé votre compte Legwork. Votre session est fermée sur tous les appareils et vous ne pouvez ' +
        'plus accepter de missions.',
    },
    reason: ({ reason }) => `Motif\u00A0: ${reason}`,
    basedOn: 'Nous avons pris cette décision d’après ces missions\u00A0:',
    noEnd: 'Cette décision n’a pas de date de fin.',
    money:
      'L’argent que vous avez gagné reste dû. Le travail envoyé est vérifié et payé comme d’habitude. Les missions ' +
      'que vous aviez acceptées ont été libérées, sans effet sur votre score de confiance.',
    next: ({ days }) =>
      `Si vous n’êtes pas d’accord, dites-nous pourquoi. Une personne répondra sous ${days}. Sans réponse à temps, ` +
      'votre compte est rétabli.',
    button: 'M’opposer à cette décision',
    samePage:
      'Sur la même page, vous pouvez ajouter ou changer votre compte bancaire, et faire appel si un travail envoyé ' +
      'est contesté.',
    personal: 'Le lien est personnel, alors ne transférez pas cet e-mail.',
  },

  accountReinstated: {
    subject: 'Votre compte Legwork est de nouveau actif',
    happened: {
      time_passed: 'La suspension de votre compte Legwork a pris fin.',
      operator: 'Nous avons rétabli votre compte Legwork.',
      objection: 'Nous acceptons votre objection et avons rétabli votre compte Legwork.',
      no_reply:
        'Nous n’avons pas répondu à temps à votre objection, donc nous avons rétabli votre compte Legwork.',
    },
    next: 'Vous pouvez de nouveau vous connecter et accepter des missions\u00A0:',
    button: 'Me connecter',
  },

  objectionUpheld: {
    subject: 'Notre réponse à votre objection',
    happened: {
      suspended: 'Nous avons examiné votre objection. Votre compte Legwork reste suspendu.',
      closed: 'Nous avons examiné votre objection. Votre compte Legwork reste fermé.',
    },
    final: 'De notre côté, cette décision est définitive.',
    money:
      'L’argent que vous avez gagné reste dû. Pour ajouter ou changer votre compte bancaire, utilisez le lien de ' +
      'notre e-mail précédent, ou connectez-vous avec votre mot de passe pour en obtenir un nouveau.',
  },

  passwordChanged: {
    subject: 'Votre mot de passe Legwork a changé',
    happened:
      'Le mot de passe de votre compte Legwork a été changé dans l’application. Les autres appareils sont déconnectés.',
    notYou:
      'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe. Tous les appareils seront ' +
      'déconnectés\u00A0:',
    button: 'Choisir un nouveau mot de passe',
  },

  emailConfirm: {
    subject: 'Confirmez votre nouvelle adresse e-mail Legwork',
    happened:
      'Quelqu’un, sans doute vous, veut désormais utiliser cette adresse pour son compte Legwork.',
    next: 'Confirmez l’adresse. D’ici là, l’ancienne reste valable\u00A0:',
    button: 'Confirmer ma nouvelle adresse',
    expiry: ({ hours }) => `Le lien fonctionne pendant ${hours}.`,
    notYou: 'Si ce n’était pas vous, ignorez cet e-mail. Rien ne change.',
  },

  emailChanging: {
    subject: 'Quelqu’un veut changer votre adresse e-mail Legwork',
    happened: ({ email }) =>
      `Quelqu’un qui connaît votre mot de passe, sans doute vous, veut remplacer l’adresse e-mail de votre compte ` +
      `Legwork par ${email}.`,
    next: 'Si c’était vous, confirmez la nouvelle adresse avec le lien que nous y avons envoyé.',
    notYou:
      'Si ce n’était pas vous, arrêtez le changement. Nous déconnectons tous les appareils et vous envoyons un lien ' +
      'pour choisir un nouveau mot de passe\u00A0:',
    button: 'Arrêter\u00A0: ce n’était pas moi',
  },

  emailChanged: {
    subject: 'Votre adresse e-mail Legwork a changé',
    happened: ({ email }) =>
      `L’adresse e-mail de votre compte Legwork est maintenant ${email}. Connectez-vous désormais avec cette adresse.`,
    notYou: ({ until }) =>
      `Si ce n’était pas vous, annulez le changement avant le ${until}. Cette adresse est rétablie, nous ` +
      'déconnectons tous les appareils et vous envoyons un lien pour choisir un nouveau mot de passe\u00A0:',
    button: 'Annuler\u00A0: ce n’était pas moi',
  },

  accountClosing: {
    subject: 'Votre compte Legwork va être fermé',
    happened: ({ until }) =>
      `Vous nous avez demandé de fermer votre compte Legwork. Nous le fermons le ${until}, une fois tout votre ` +
      'travail vérifié et tout votre argent versé.',
    meanwhile:
      'D’ici là, vous pouvez vous connecter comme d’habitude, mais vous ne voyez plus de nouvelles missions.',
    money:
      'L’argent gagné est versé d’abord, même s’il s’agit d’une petite somme. Si vous n’avez pas encore de compte ' +
      'bancaire dans l’application, ajoutez-en un maintenant.',
    keep: 'Vous avez changé d’avis\u00A0? Gardez votre compte\u00A0:',
    button: 'Garder mon compte',
    notYou:
      'Si ce n’était pas vous, quelqu’un connaît votre mot de passe. Gardez votre compte, puis choisissez un ' +
      'nouveau mot de passe dans l’application.',
  },

  closingWaits: {
    subject: 'Ajoutez un compte bancaire pour être payé',
    happened: ({ money }) =>
      `Vous nous avez demandé de fermer votre compte Legwork, mais nous vous devons encore ${money} et n’avons pas ` +
      'de compte bancaire où l’envoyer.',
    next: 'Ajoutez votre compte bancaire. Nous vous payons alors et fermons votre compte Legwork\u00A0:',
    button: 'Ajouter mon compte bancaire',
    otherwise: ({ until }) =>
      `Sinon, nous fermons votre compte Legwork le ${until}. L’argent vous reste dû, et vous pouvez le réclamer en ` +
      'nous écrivant.',
  },

  accountClosed: {
    subject: 'Votre compte Legwork est fermé',
    happened:
      'Nous avons fermé votre compte Legwork et effacé votre nom, votre adresse e-mail, votre mot de passe, votre ' +
      'profil, vos appareils et vos notifications. Ceci est notre dernier e-mail.',
    kept:
      'La loi nous oblige à conserver les traces des paiements. Elles portent un numéro à la place de votre nom. ' +
      'Vos preuves restent chez les agents pour lesquels vous avez travaillé, sans votre nom. Stripe conserve ses ' +
      'propres données.',
    owed: ({ money, id }) =>
      `Nous vous devons encore ${money}. Pour réclamer cette somme, écrivez-nous en indiquant ce numéro\u00A0: ${id}`,
    again: 'Vous pouvez vous réinscrire avec cette adresse e-mail à tout moment.',
    more: 'Ce que nous conservons, et combien de temps\u00A0:',
    button: 'Lire notre politique de confidentialité',
  },

  suspensionEnds: ({ until }) =>
    `La suspension prend fin le ${until}. Vous pourrez alors vous reconnecter.`,
  ourReply: ({ note }) => `Notre réponse\u00A0: ${note}`,
}
