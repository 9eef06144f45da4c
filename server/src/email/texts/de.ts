/** German, with du. */
import type { Texts } from './en.ts'

export const de: Texts = {
  greeting: 'Hallo,',
  linkIntro: 'Oder öffne diesen Link:',

  hours: { one: '# Stunde', other: '# Stunden' },
  minutes: { one: '# Minute', other: '# Minuten' },
  // In the dative, after „von“.
  days: { one: '# Tag', other: '# Tagen' },

  verification: {
    subject: 'Bestätige deine E-Mail-Adresse für Legwork',
    happened:
      'Jemand, wahrscheinlich du, hat mit dieser E-Mail-Adresse ein Konto angelegt, um bei Legwork zu arbeiten.',
    next: 'Bestätige die Adresse, melde dich an und such dir deine erste Aufgabe aus:',
    button: 'Meine E-Mail bestätigen',
    expiry: ({ hours }) =>
      `Der Link gilt ${hours} lang. Danach kannst du auf derselben Seite einen neuen anfordern.`,
    notYou:
      'Wenn du das nicht warst, ignoriere diese E-Mail. Ohne den Link kann niemand das Konto benutzen.',
  },

  passwordReset: {
    subject: 'Wähle ein neues Passwort für Legwork',
    happened:
      'Jemand, wahrscheinlich du, hat ein neues Passwort für dein Legwork-Konto angefordert.',
    next: 'Wähle es hier. Du wirst auf allen Geräten abgemeldet und kannst dich dann mit dem neuen Passwort anmelden:',
    button: 'Neues Passwort wählen',
    expiry: ({ minutes }) =>
      `Der Link funktioniert einmal und gilt ${minutes} lang. Nur der neueste Link ist gültig.`,
    notYou: 'Wenn du das nicht warst, ignoriere diese E-Mail. Dein Passwort bleibt gleich.',
  },

  alreadyRegistered: {
    subject: 'Du hast schon ein Konto bei Legwork',
    happened:
      'Jemand, wahrscheinlich du, hat noch einen Link angefordert, um diese Adresse zu bestätigen. Sie ist schon ' +
      'bestätigt.',
    next: 'Melde dich mit deinem Passwort an. Wenn du es vergessen hast, wähle ein neues:',
    button: 'Passwort vergessen',
    notYou: 'Wenn du das nicht warst, ignoriere diese E-Mail. Es hat sich nichts geändert.',
  },

  workDisputed: {
    subject: ({ money, title }) => `${money} beanstandet: ${title}`,
    happened: ({ money, title }) =>
      `Der Agent sagt, dass deine Arbeit für „${title}“ die Aufgabe nicht erfüllt, und hat die ${money} dafür ` +
      'zurückgenommen.',
    next: ({ until }) =>
      `Wenn du das anders siehst, leg bis zum ${until} Einspruch ein. Lies hier die Begründung und leg Einspruch ein:`,
    button: 'Begründung lesen und Einspruch einlegen',
    otherwise: 'Ohne Einspruch wird die Arbeit nicht bezahlt.',
  },

  disputeHeld: {
    subject: ({ title }) => `Wir prüfen eine Beanstandung: ${title}`,
    happened: ({ title }) =>
      `Der Agent sagt, dass deine Arbeit für „${title}“ die Aufgabe nicht erfüllt. Er hat an einem Tag viele ` +
      'Arbeiten beanstandet. Deshalb entscheidet ein Mensch bei Legwork, bevor die Beanstandung gilt.',
    decidedBy: ({ until, money }) =>
      `Wir entscheiden bis zum ${until}. Wenn nicht, bleibt die Beanstandung ohne Folgen und du bekommst deine ` +
      `${money}.`,
    next:
      'Du musst jetzt nichts tun. Wenn wir die Beanstandung bestätigen, sagen wir dir Bescheid, und du kannst ' +
      'Einspruch einlegen.',
    button: 'Begründung des Agenten lesen',
  },

  disputeDecided: {
    upheldSubject: ({ title }) => `Beanstandung bestätigt: ${title}`,
    upheld: ({ title }) =>
      `Wir haben die Beanstandung zu „${title}“ geprüft. Sie wurde bestätigt, deshalb wird diese Arbeit nicht bezahlt.`,
    paidSubject: ({ money, title }) => `Du bekommst ${money}: ${title}`,
    paid: ({ money, title }) =>
      `Über die Beanstandung zu „${title}“ ist entschieden. Du bekommst ${money}. Das Geld wird mit deinem übrigen ` +
      'Verdienst ausgezahlt.',
    read: 'Lies hier die Begründung:',
    readShutOut: 'Lies hier die Begründung und sieh nach, was dir zusteht:',
    button: 'Entscheidung lesen',
    unsettledSubject: ({ title }) => `Die Beanstandung bleibt ohne Folgen: ${title}`,
    unsettled: ({ title }) =>
      `Die Beanstandung zu „${title}“ bleibt ohne Folgen. Dein Nachweis kann nicht noch einmal beanstandet werden, ` +
      'und du wirst bezahlt, wenn die Aufgabe abgerechnet wird.',
    unsettledButton: 'Aufgabe ansehen',
  },

  payoutFailed: {
    subject: ({ money, title }) => `${money} konnten nicht ausgezahlt werden: ${title}`,
    happened: ({ money, title }) =>
      `Deine ${money} für „${title}“ sind nicht auf deinem Auszahlungskonto angekommen. Das Geld gehört weiterhin dir.`,
    next: 'Prüfe dein Auszahlungskonto:',
    button: 'Mein Auszahlungskonto prüfen',
    retries:
      'Wir versuchen es in den nächsten zwei Wochen automatisch noch einmal. Wenn es weiterhin nicht klappt, kümmert ' +
      'sich unser Team darum.',
  },

  questionAnswered: {
    subject: 'Wir haben deine Frage beantwortet',
    happened: 'Jemand aus unserem Team hat deine Frage beantwortet.',
    next: 'Öffne deine Frage in der App:',
    nextShutOut:
      'Solange dein Konto gesperrt oder geschlossen ist, kannst du uns nicht erneut schreiben. Diese Seite zeigt den ' +
      'Grund:',
    button: 'Meine Frage öffnen',
    noReplies: 'Antworten auf diese E-Mail können wir nicht lesen.',
  },

  seeAccount: 'Dein Konto ansehen',
  whyByEmail:
    'Du bekommst diese E-Mail, weil wir keines deiner Geräte benachrichtigen konnten. Benachrichtigungen kannst du ' +
    'in der App ein- oder ausschalten.',
  withoutLogin:
    'Du kannst dich nicht anmelden, weil dein Konto gesperrt oder geschlossen ist. Der Link oben funktioniert ohne ' +
    'Anmeldung. Er ist persönlich, also leite diese E-Mail nicht weiter.',

  accountShutOut: {
    subject: {
      suspended: 'Dein Legwork-Konto ist gesperrt',
      closed: 'Dein Legwork-Konto ist geschlossen',
    },
    happened: {
      suspended:
        'Wir haben dein Legwork-Konto gesperrt. Du bist auf allen Geräten abgemeldet und kannst keine Aufgaben ' +
        'annehmen.',
      closed:
        'Wir haben dein Legwork-Konto geschlossen. Du bist auf allen Geräten abgemeldet und kannst keine Aufgaben ' +
        'mehr annehmen.',
    },
    reason: ({ reason }) => `Grund: ${reason}`,
    basedOn: 'Diese Aufgaben waren der Anlass:',
    noEnd: 'Diese Entscheidung hat kein Enddatum.',
    money:
      'Was du verdient hast, wird weiter ausgezahlt. Was du gesendet hast, wird wie gewohnt geprüft und bezahlt. ' +
      'Aufgaben, die du angenommen hattest, wurden wieder freigegeben. Auf deinen Vertrauenswert hat das keinen ' +
      'Einfluss.',
    next: ({ days }) =>
      `Wenn du das anders siehst, schreib uns, warum. Ein Mensch antwortet innerhalb von ${days}. Wenn niemand ` +
      'rechtzeitig antwortet, wird dein Konto wieder freigegeben.',
    button: 'Dieser Entscheidung widersprechen',
    samePage:
      'Auf derselben Seite kannst du dein Bankkonto hinzufügen oder ändern und Einspruch einlegen, wenn eine ' +
      'gesendete Arbeit beanstandet wird.',
    personal: 'Der Link ist persönlich, also leite diese E-Mail nicht weiter.',
  },

  accountReinstated: {
    subject: 'Dein Legwork-Konto ist wieder aktiv',
    happened: {
      time_passed: 'Die Sperre deines Legwork-Kontos ist beendet.',
      operator: 'Wir haben dein Legwork-Konto wieder freigegeben.',
      objection:
        'Wir stimmen deinem Widerspruch zu und haben dein Legwork-Konto wieder freigegeben.',
      no_reply:
        'Wir haben nicht rechtzeitig auf deinen Widerspruch geantwortet und haben dein Legwork-Konto deshalb wieder ' +
        'freigegeben.',
    },
    next: 'Du kannst dich wieder anmelden und Aufgaben annehmen:',
    button: 'Anmelden',
  },

  objectionUpheld: {
    subject: 'Unsere Antwort auf deinen Widerspruch',
    happened: {
      suspended: 'Wir haben deinen Widerspruch geprüft. Dein Legwork-Konto bleibt gesperrt.',
      closed: 'Wir haben deinen Widerspruch geprüft. Dein Legwork-Konto bleibt geschlossen.',
    },
    final: 'Diese Entscheidung ist von unserer Seite endgültig.',
    money:
      'Was du verdient hast, wird weiter ausgezahlt. Um dein Bankkonto hinzuzufügen oder zu ändern, nutze den Link ' +
      'in unserer früheren E-Mail, oder melde dich mit deinem Passwort an, um einen neuen zu bekommen.',
  },

  passwordChanged: {
    subject: 'Dein Legwork-Passwort wurde geändert',
    happened:
      'Das Passwort deines Legwork-Kontos wurde in der App geändert. Andere Geräte sind abgemeldet.',
    notYou: 'Wenn du das nicht warst, wähle jetzt ein neues Passwort. Das meldet alle ab:',
    button: 'Neues Passwort wählen',
  },

  emailConfirm: {
    subject: 'Bestätige deine neue E-Mail-Adresse für Legwork',
    happened:
      'Jemand, vermutlich du, möchte diese Adresse ab jetzt für sein Legwork-Konto verwenden.',
    next: 'Bestätige die Adresse. Bis dahin gilt die alte:',
    button: 'Neue Adresse bestätigen',
    expiry: ({ hours }) => `Der Link funktioniert ${hours} lang.`,
    notYou: 'Wenn du das nicht warst, ignoriere diese E-Mail. Es ändert sich nichts.',
  },

  emailChanging: {
    subject: 'Jemand möchte deine Legwork-Adresse ändern',
    happened: ({ email }) =>
      `Jemand, der dein Passwort kennt, vermutlich du, möchte die E-Mail-Adresse deines Legwork-Kontos in ${email} ` +
      'ändern.',
    next: 'Wenn du das warst, bestätige die neue Adresse mit dem Link, den wir dorthin geschickt haben.',
    notYou:
      'Wenn du das nicht warst, stoppe die Änderung. Wir melden alle ab und schicken dir einen Link für ein neues ' +
      'Passwort:',
    button: 'Stoppen: Das war ich nicht',
  },

  emailChanged: {
    subject: 'Deine Legwork-Adresse wurde geändert',
    happened: ({ email }) =>
      `Die E-Mail-Adresse deines Legwork-Kontos ist jetzt ${email}. Melde dich ab jetzt mit dieser Adresse an.`,
    notYou: ({ until }) =>
      `Wenn du das nicht warst, mach die Änderung rückgängig. Das geht bis ${until}. Dann gilt wieder diese Adresse, ` +
      'wir melden alle ab und schicken dir einen Link für ein neues Passwort:',
    button: 'Rückgängig machen: Das war ich nicht',
  },

  accountClosing: {
    subject: 'Dein Legwork-Konto wird geschlossen',
    happened: ({ until }) =>
      `Du hast uns gebeten, dein Legwork-Konto zu schließen. Wir schließen es am ${until}, sobald deine ganze ` +
      'Arbeit geprüft und dein ganzes Geld ausgezahlt ist.',
    meanwhile: 'Bis dahin kannst du dich wie gewohnt anmelden, siehst aber keine neuen Aufgaben.',
    money:
      'Verdientes Geld wird zuerst ausgezahlt, auch wenn es wenig ist. Wenn du in der App noch kein Bankkonto ' +
      'hast, füge jetzt eines hinzu.',
    keep: 'Hast du es dir anders überlegt? Behalte dein Konto:',
    button: 'Konto behalten',
    notYou:
      'Wenn du das nicht warst, kennt jemand dein Passwort. Behalte dein Konto und wähle dann in der App ein neues ' +
      'Passwort.',
  },

  closingWaits: {
    subject: 'Füge ein Bankkonto hinzu, damit wir dich bezahlen können',
    happened: ({ money }) =>
      `Du hast uns gebeten, dein Legwork-Konto zu schließen. Wir schulden dir aber noch ${money} und haben kein ` +
      'Bankkonto, auf das wir das Geld überweisen können.',
    next: 'Füge dein Bankkonto hinzu. Dann zahlen wir dich aus und schließen dein Legwork-Konto:',
    button: 'Bankkonto hinzufügen',
    otherwise: ({ until }) =>
      `Sonst schließen wir dein Legwork-Konto am ${until}. Das Geld steht dir weiter zu. Schreib uns, um es zu ` +
      'bekommen.',
  },

  accountClosed: {
    subject: 'Dein Legwork-Konto ist geschlossen',
    happened:
      'Wir haben dein Legwork-Konto geschlossen und deinen Namen, deine E-Mail-Adresse, dein Passwort, dein ' +
      'Profil, deine Geräte und deine Mitteilungen gelöscht. Das ist unsere letzte E-Mail an dich.',
    kept:
      'Belege über Zahlungen müssen wir nach dem Gesetz aufbewahren. Sie enthalten eine Nummer statt deines ' +
      'Namens. Deine Nachweise bleiben ohne deinen Namen bei den Agenten, für die du gearbeitet hast. Stripe bewahrt ' +
      'seine eigenen Daten auf.',
    owed: ({ money, id }) =>
      `Wir schulden dir noch ${money}. Um das Geld zu bekommen, schreib uns und nenne diese Nummer: ${id}`,
    again: 'Du kannst dich mit dieser E-Mail-Adresse jederzeit neu registrieren.',
    more: 'Was wir aufbewahren, und wie lange:',
    button: 'Datenschutzerklärung lesen',
  },

  suspensionEnds: ({ until }) =>
    `Die Sperre endet am ${until}. Ab dann kannst du dich wieder anmelden.`,
  ourReply: ({ note }) => `Unsere Antwort: ${note}`,
}
