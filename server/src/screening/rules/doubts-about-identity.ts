import { phrases, type Rule } from '../rule.ts'

const base = { verdict: 'doubtful', owner: 'trust', since: '2026-11-19' } as const

const FALSE_ROLE = phrases(`
  pretend*, pose as, impersonat*, claim to be, say you are the, say you are a, say you are from, say you re,
  say that you are mr, say that you are mrs, say that you were, say you were, say that you are the,
  say that you are a, say you have, tell them you are, tell them you re, just tell, tell the teacher, sound like,
  speak as, act as, as if you had, as if you were the, as if you were a, as if you were our, be her, be him,
  be ms, be mr, be mrs, be dr, be our, you are a doctor, you are a nurse, you forgot yours, your first week,
  in the name of, in his name, in her name, in someone else s name, sign as, his signature, her signature,
  real name, false name, different name, new name, another name, made up, made-up, invent, invent it, invent one,
  invented, imaginary, fictitious, this is dr, this is doctor, it s the courier, it is the courier,
  here is your bank, from your bank, from the bank, security department, high visibility vest, uniform,
  printed badge, the water company, the electricity company, the power company, you haven t used it,
  ordinary resident, as new driver, sounds spontaneous, support here, on the word of, i am the account holder,
  i m the account holder, we re from, posing
  hazte pasar, hacerse pasar, finge, fingir, di que eres, di que vienes, di que llamas por, preséntate como,
  preséntate en la tienda con, suplant*, como si fueras, como si, soy el titular, soy la titular, soy la doctora,
  soy el doctor, soy médico, soy su, le llamo del, le llamo de la, departamento de seguridad, llama como técnico,
  dile como médico, no eres doctora, no eres médico, con otro nombre, nombre falso, nombre inventado, inventad*,
  inventa, no existe, uniforme, con sus datos, supera las preguntas, somos de mantenimiento
  gib dich, ausgeben, als angeblich*, angeblich*, tu so als, als wärst du, als ob du, als hättest,
  melde dich als, klingle als, hier ist Ihre, Ihre Bank hier, technische Dienst, hier ist der Paketdienst,
  Praxis Dr, klinge, erfunden*, ausgedacht*, erfinde, falschem Namen, falscher Name, anderen Namen,
  unter dem Namen, im Namen von, Weste, Uniform, ich soll einen Artikel, es gibt kein, du brauchst keine
  faites vous passer, se faire passer, fais toi passer, présentez vous comme, dites que vous êtes,
  dites que vous venez, comme si vous, comme si, prétend*, vous êtes médecin, ici le docteur, cabinet du docteur,
  je suis le médecin, je suis la tante, je suis l oncle, je suis le mari, je suis son, ici votre banque,
  ici le service, je suis le titulaire, inventé*, inventez, faux nom, sous un autre nom, l espace est celui,
  sans y être venu, dire être
  كأنك, بصفتك, تكلم كطبيب, أنا صاحب, أنا طبيب*, معك خدمة, معك البنك, معك من البنك, انتحل, زي عامل, ارتد زي,
  مستعار, وهمي, وهمية, مختلق*, باسم آخر, بأسماء مختلفة, بأسماء و*, أسماء مختلفة, بصوته, أجب عن أسئلة التحقق,
  قل إنك, قل إن قريبها, قل له إنك, يبدو كأنه`)
const HONEST_ROLE = phrases(`
  demostración, demonstration page, cuenta de prueba, your own name, in your own name, say who you call for,
  say you are calling, you call for, not a guest, mystery shopper, test persona, staging, real customer,
  with permission, say that it is for, no lo eres, di quién eres, di que llamas de parte, de parte de,
  deinen eigenen Namen, im Auftrag, Auftragsnummer, votre propre nom, de notre part, مكتب المحاماة, جمعية,
  قل بوضوح, ببيانات وهمية, advertisement at the start, adviser, advisers`)

const SECRETS = phrases(`
  pin, pins, password, passwords, passcode, login, logins, log in details, credentials, user name, user names,
  username, usernames, card number, card numbers, security code, cvv, customer number, account number, id number,
  social security number, date of birth, seed phrase, recovery, online banking, iban, bank details, bank account,
  access card, badge, badges, portal credentials, admin password, digicode
  clave de acceso, claves, contraseña, contraseñas, pin, usuario y, número de tarjeta, tarjeta de coordenadas,
  datos bancarios, acceso a la banca, banca móvil, cuenta personal, dni, número de cuenta, credenciales
  PIN, Passwort, Passwörter, Kennwort, Zugangsdaten, Anmeldename*, Login, Kartennummer, Kontonummer,
  Kundennummer, Zählernummer, TAN, Bankdaten, Zugangskarte, Online-PIN
  mot de passe, mots de passe, identifiant, identifiants, code secret, numéro de carte, numéro client,
  coordonnées bancaires, rib, digicode, badges, code d accès
  كلمة المرور, كلمة السر, كلمات المرور, الرقم السري, رقم البطاقة, اسم المستخدم, بيانات الدخول, رقم الحساب,
  رقم الهوية, البيانات البنكية, passwords`)
const OBTAIN = phrases(`
  tell, tells, give, gives, hand, share, send, read, reads, enter, type, type in, try, try each, valid,
  still work, note, note the, photograph, picture, film, collect, get, ask for, need, write, copy, confirm,
  paste, forward, use, buy, sell, spreadsheet, transfer, new account
  dime, dame, dar, das, dais, pasa, pasas, envía, envíanos, manda, apunta, anota, compro, vende, necesito, dime,
  lee, copia, fotografía, entra
  nenne, nennen, gib, geben, schick, schicke, notiere, schreibe, schreib, lies, lesen, tippe, fotografiere, frag,
  eingeben, anmelden, teile, brauche
  donnez, donne, envoyez, notez, photographiez, filmez, copiez, lisez, transmettez, communiquez, achat, achetez,
  saisissez, filmez discrètement, me donnez
  أعطني, أعطنا, أرسل, اكتب, صور, اقرأ, أخبرني, جرب, سلمنا, زودنا, انسخ, الدخول`)
const NEVER_ASKED = phrases(`
  never ask, never asks, never asked, nobody from, forgot password, change her, changes her own, should change,
  phishing exercise, spot the, our own, demo account, test account, test phone, invented account, test inbox,
  do not give, don t give, opening, how to change, guest, leaflet, leaflets, no member s desk, if someone,
  were told of
  nunca, jamás, cuenta de prueba, tapa todos, qué documentos, hace falta cita, no des, mula, ayuda
  nie nach, niemals, in der Filiale, so erkennen, Testkonto, keine Kundendaten, deinen eigenen,
  Hausmeister schließt, je am Telefon, verwalten
  jamais, aucun identifiant, aucun code, compte de test, résumez, fermez votre session
  أوقات دوام, الأوراق المطلوبة, لا تعط*, صفحة تشرح, حساب تجريبي, ما الطريقة الصحيحة`)

const CODE_WORDS = phrases(`
  code, codes, digits, the text, text messages, texts, activation text*, sms, sms inbox, otp, esim, verification,
  approval request, app approval, number in a second
  código, códigos, sms, dígitos
  Code, Codes, TAN, Ziffern, SMS, Freigabe, Freigaben, Anfrage zu bestätigen
  code, codes, chiffres, sms, sms de validation
  رمز, رموز, كود, الرمز, رسالة التفعيل, الرقم الذي وصل*, تفعيل`)
const CODE_GIVEN = phrases(`
  paste, forward, forwards, read it, read it to me, read it, send me, send us, give me, write the digits,
  which code, came in on, reply with, hand over, tell me, per code, for each, answer through, receive activation,
  receive codes, your number gets, rent us, release your, picture of the message, confirm the, sends us, type it,
  report it
  me lo lee, apúntalo, mándalo, envíalo, dicte, qué código, escríbelo, reenvía, pásanos, léemelo, dime,
  el código completo
  lesen Sie mir, lies mir, vorlesen, schick uns, in die Antwort, eintippen, weiterleiten, bestätigen,
  zu bestätigen, nenne, durchgeben, Bestätigung in
  par code, renvoyer, renvoie, renvoyez, transmettez, lisez moi, dictez, envoyez, me donner, recevoir les,
  recevoir des
  أرسل, ترسل, وصلك, وصلها, اقرأ, أعطني, أعطنا, صور الرسالة, الذي وصل*, زودنا, الرقم كاملا, يصلها رمز`)
const CODE_KEPT = phrases(`
  don t need to send, do not need to send, nobody, our own staging, our test phone, test phone, don t share,
  do not share, keep their, to cheat others, block them, our guide, covered by, qr code, postcode, zip code,
  discount code, dress code, what do i need to show, gate code, coupon, unsubscribe
  pide alguna vez, si te piden, no los diga, no lo digas, a nadie, código postal, sale en la ayuda
  je am Telefon, alles ablehnen, alles ablehnt, Postleitzahl, Testtelefon, nicht senden, nicht nennen,
  unsere eigene, unserer eigenen, Türcode
  aucun code, ne répondez pas, code postal, à transmettre aucun, est claire, qr code, code barre
  إذا طلب أحد, لا تعطيها, تتجاهلها, وألا تعطيها, الرمز البريدي, صفحة المساعدة`)

const ACCOUNT_WORDS = phrases(`
  account, accounts, profile, profiles, wallet, number in our form, identity, id, papers, passport, licence,
  licences, licenses, driver s licence, selfie, face, liveness, kyc, age check, age estimation, verification,
  video call, certification, proctored exam, exam for me
  cuenta, cuentas, dni, selfi, verificación, reconocimiento facial, cara, titular, carnet
  Konto, Konten, Depot, Ausweis*, Gesicht, Waffenbesitzkarte, Prüfung, Videoident*, Führerschein, Captcha*
  compte, comptes, pièce, pièce d identité, visage, vérification, espace, double authentification
  حساب, حسابات, هوية, هويتك, بالهوية, الوجه, وجهك, التحقق, محفظة, جواز`)
const HANDED_OVER = phrases(`
  hand over, handed over, sold us, sells us, rent, lend, for a client, for a buyer, for our customers, for us,
  for me, in your name, under your name, in place of, past a, get past, bypass, rejected, edited, swapped,
  cloned, copied, another face, over it, someone else, brother s, mother s, two more, per additional,
  you control, fresh, aged, verified, approved account, take the, dictate, appear once more, second keyboard,
  share screen, each time, brand new
  cedan, ceder, nos cedan, en lugar, en lugar de, compro, vendo, verificadas, antiguas, aprobada, ya aprobada,
  a tu nombre, devuélvelo desbloqueado, datos prestados, más dni, prestad*, otra persona
  auf den Namen, zweites, zweites Konto, zweites Depot, leihen, mieten, verkaufen, fremde, fremden, fremder,
  bearbeitet*, neuem Namen, neuem Foto, besteht, legt Konten an, überlassen, an statt, umgehen, Rätsel
  transmettez nous, cédez, céder, à votre nom, validé, vérifiés, compte validé, retirer la double, d une autre,
  prêter, contourner, plusieurs comptes, comptes actifs
  سلمنا, سلم الحساب, باسمك, بدلا من, بيع, شراء, نشتري, تلقائيا, بالنيابة, استئجار, حسابات مختلفة, لعميل`)
const OWN_TRIAL = phrases(`
  our own, our staging, staging, training part of our, test environment, our test, test persona, usability,
  accessibility, visitor card that, reception knows, consent form, for himself, in person, public page,
  help page, system check, how to hold, explains best, we built it, page is ours, are locked out
  nuestra página de pruebas, página es nuestra, versión de demostración, tu propia cara, ayuda, autoexcluirse,
  cuenta de prueba, qué documentos
  unserer eigenen, unsere eigene, Testseite, nicht per Mail, Anleitung*, am Schalter, Testumgebung
  page publique, sans créer de compte, règle générale, notre propre, aide publique, atelier
  صفحتنا التجريبية, الصفحة لنا, لا تفتح حسابا, صفحة المساعدة, staging`)

const SENT_LATER = phrases(`
  sent after acceptance, after acceptance, sent later, to be sent, sent in chat, details in chat, details follow,
  you get the details, item that we send you
  se envía al aceptar, al aceptar, se enviará después, se envían al aceptar, después de aceptar
  folgt nach, nach Annahme, nach der Annahme, folgt später, wird nachgereicht, Details folgen
  envoyé ensuite, envoyée ensuite, envoyés ensuite, envoyées ensuite, après acceptation, une fois accepté,
  adresse ensuite
  بعد القبول, يرسل بعد, ترسل بعد, يرسل لاحقا, ترسل لاحقا`)

const DECEPTION_TRIED = phrases(`
  would you believe, would believe, would people believe, believes that, look enough like, looks enough like,
  smell of a scam, smells like a scam, most genuine, genuine enough, real enough, natural enough, sounds real,
  looks real, looks less like, look less like, fool people, fall for it, fall for this, type in their password,
  click on it, work on people, final notice, passes as, pass as, pass for
  cuela como, se nota o, se nota que, creíble, caerían, picarían, parece un trabajo normal, parece real,
  parece auténtic*, despierta menos
  nachgebaut*, glaubwürdig*, wirkt echt, wirkt es echt, fällt darauf, reinfallen, hereinfallen,
  mehr Empfänger dazu, echt genug
  assez naturel, assez jeune, assez crédible, crédible, fait vrai, fait assez, tomber dans le panneau,
  éveillerait le moins
  هل يصدق, يصدق طفل, يبدو حقيقي*, مقنع, ينخدع*, دون أن ينتبه`)

export const DOUBTS_ABOUT_IDENTITY: readonly Rule[] = [
  {
    ...base,
    id: 'false_role',
    section: 'pretending-to-be-someone',
    reason: 'A worker who plays somebody else deceives the person they talk to.',
    all: [FALSE_ROLE],
    none: HONEST_ROLE,
    hits: [
      'Ring the bell and say you are from the water company',
      'Llama como técnico y pregunta por la avería',
      'Klingle als angeblicher Mitarbeiter der Stadtwerke',
      'Appelez comme si vous étiez un client mécontent',
      'تكلم كطبيب واسأل عن المريض',
    ],
    misses: [
      'Give your own name at the reception and ask for Priya',
      'Nenne deinen eigenen Namen und unsere Auftragsnummer',
    ],
  },
  {
    ...base,
    id: 'secrets_obtained',
    section: 'credentials-and-documents',
    reason: 'Passwords, card numbers and access data belong to their owner.',
    all: [SECRETS, OBTAIN],
    within: 9,
    none: NEVER_ASKED,
    hits: [
      'Note the passwords on the desks',
      'Dame la contraseña y el usuario y te pago',
      'Bitte nennen Sie mir die Kartennummer',
      'Photographiez les mots de passe sous le clavier',
      'أعطني رقم البطاقة',
    ],
    misses: [
      'Does the forgot password link work?',
      'Welche Betreffzeile macht klar, dass wir nie nach Passwörtern fragen?',
    ],
  },
  {
    ...base,
    id: 'codes_mentioned',
    section: 'one-time-codes',
    reason: 'Codes that arrive on a phone are asked for by those who take over accounts.',
    all: [CODE_WORDS, CODE_GIVEN],
    within: 16,
    none: CODE_KEPT,
    hits: [
      'You get a text with a code; read it to me',
      '¿Qué código te ha llegado?',
      'Lesen Sie mir die sechs Ziffern bitte vor',
      'Tu peux me renvoyer les six chiffres ?',
      'ما الرمز الذي وصلك؟',
    ],
    misses: [
      'Ask whether the bank ever asks for codes; nobody should give theirs',
      'Photograph the poster with the QR code',
    ],
  },
  {
    ...base,
    id: 'accounts_passed_on',
    section: 'getting-around-checks',
    reason: 'Accounts, faces and documents that are used for somebody else get around checks.',
    all: [ACCOUNT_WORDS, HANDED_OVER],
    within: 12,
    none: OWN_TRIAL,
    hits: [
      'Do the age check for a buyer',
      'Haz la verificación y nos cedan la cuenta ya aprobada',
      'Eröffne ein Depot auf den Namen deiner Frau',
      'Passez la vérification puis transmettez-nous le compte',
      'أكمل التحقق ثم سلمنا الحساب',
    ],
    misses: [
      'Which documents does the help page name for closing an account?',
      'Prüfe unsere eigene Testseite mit dem Ausweis',
    ],
  },
  {
    ...base,
    id: 'text_sent_later',
    section: 'getting-around-checks',
    reason: 'What the task does not say cannot be screened, and the worker accepts it unseen.',
    all: [SENT_LATER],
    none: phrases('parking, list of branches, consent form, ticket number'),
    hits: [
      'The address is sent after acceptance',
      'El taller se envía al aceptar',
      'Die Adresse folgt nach Annahme',
      'Adresse envoyée ensuite',
      'العنوان يرسل بعد القبول',
    ],
    misses: ['The list of shops is in the context', 'Die Adresse steht oben'],
  },
  {
    ...base,
    id: 'deception_tried',
    section: 'pretending-to-be-someone',
    reason: 'Whoever asks whether a deception is believed wants to use it.',
    all: [DECEPTION_TRIED],
    none: phrases('phishing exercise, warning, our own staff, Warnung, avertissement, تنبيه'),
    hits: [
      'Would you believe that this letter comes from the court?',
      'Marta no existe. ¿Cuela como testimonio?',
      'Wirkt unsere nachgebaute Seite wie die der Bank?',
      'Est-ce assez naturel pour une inconnue ?',
      'هل يصدق الناس هذه الرسالة؟',
    ],
    misses: ['Is this leaflet easy to understand?', 'Ist der Text freundlich genug?'],
  },
]
