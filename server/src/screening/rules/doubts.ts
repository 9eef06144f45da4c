/** Rules that make a task wait for a person. The wording score (wording.ts) makes others wait. */
import { phrases, type Rule } from '../rule.ts'

const base = { verdict: 'doubtful', owner: 'trust', since: '2026-11-19' } as const

const REWARDS = phrases(`
  referral*, refer, referred, recommended you, recommend, recommended, invite link, my invite, invite program,
  my link, my code, our code, promo code, promoter code, bonus, welcome bonus, recruiting bonus, sign up bonus,
  reward, affiliate, per lead, paid per, free sample, free trial, new customer, commission for, sign ups,
  sign-ups
  referido*, código de amigo, mi código, plan amigo, bono, prima, prima de bienvenida, invitación, invitaciones,
  recomendado, comisión por, cuando me paguen
  Empfehlung*, empfohlen, mein Code, meinen Code, Prämie, Bonus, Vermittlungsprämie, Werber, geworben, Provision,
  Neukunde*, Depot
  parrainage, parrain, filleul*, mon code, mon lien, prime, bonus, affilié*, commission, recommandé,
  mon compteur, compteur
  إحالة, دعوة, رابط الدعوة, مكافأة, مكافآت, عمولة, توصية, أوصاني, كود الخصم`)

const CLAIMED = phrases(`
  sign up, sign-up, signs up, register, register them, enter your, open two, open an account, open accounts,
  deposit the minimum, name luis, as the one, call back, call back and, hang up, then cancel, cancel it,
  withdraw again, different name, new name, each time, use an e mail, not used there, per counter, rounds,
  shared, share the, invented, less like it, generated, more accounts, more sign ups, between rounds, scan,
  devices, several phones, thirty
  date de alta, alta en, regístrate, abre, abra cuentas, mete, retíralos, retira, datos prestados, cancela,
  más dni, varias veces
  eröffne*, zweites, anmelden, melde dich an, registriere, sag den Termin, absagen, kündige, teilen wir,
  auf den Namen, brauchst keine, bekommt
  inscrivez*, ouvrez, inventés, annulez, plusieurs téléphones, scannez, faire monter, chaque fois, appareils,
  soupçons
  سجل, اشترك, باسم مستعار, ألغ*, ثم ألغه, اطلب أقل, ثلاثين, أسماء, مختلفة, كل طلب, تسجيلا, مرات في اليوم`)

const ONLY_ASKED = phrases(`
  don t sign up, do not sign up, without signing up, not applying, are not applying, read the terms, our own,
  staging, as agreed, test persona, our library, our pool, apologise, because of our bug, photo of the note,
  ask how long
  sin darte de alta, resume las condiciones, nuestra piscina, se entiende, pregunta solo
  nur fragen, behält, melde dich nicht an, unsere eigenen, meldet sich danach selbst
  sans vous inscrire, un seul scan, expliquerait, à des retraités, ne vous inscrivez
  لا تسجل, لا تشترك, اسأل فقط, اشرح لي, التجريبي, كما هي`)

const ARMS = phrases(`
  gun, guns, pistol, pistols, handgun*, rifle, rifles, firearm*, ammunition, ammo, bullets, silencer*,
  explosive*, detonator*, fuse, blade, blades, knife, knives, brass knuckles, pepper spray, crossbow, fertiliser,
  fertilizer, bomb*, grenade*, chemicals, precursor*, taser, drugs, cocaine, weed, pills to, fentanyl
  pistola*, arma, armas, munición, rifle, escopeta, ballesta, explosivo*, cuchillo*, navaja*, fogueo, droga*,
  bomba*, detonador*
  Pistole*, Waffe*, Gewehr*, Munition, Messer, Armbrust, Sprengstoff*, Stoffe auf der Liste, knallt, Zünder,
  Schlagring, Droge*, Sprengsatz
  pistolet*, arme, armes, fusil*, munitions, couteau*, arbalète, explosif*, détonateur*, poings américains,
  lacrymogène*, bombe*, drogue*
  مسدس*, سلاح*, أسلحة, بندقية, ذخيرة, سكين, سكاكين, متفجرات, قنبلة, مخدرات, السلاح`)

const PROCURED = phrases(`
  buy, buys, get me, order, sell, sells, sold, lend, bring, carry, walk through, deliver, ship, post it, pick up,
  hide*, hides, marketplace filter, filter, notice, private seller, stay just below, small amounts,
  without a permit, permit, check, working, works, remove, takes the plugs, reactivat*, convert*, deactivated,
  in your name, until i pick, cousin signs, record, as much
  compra, cómprame, vende, lleva, llévala, mandar, prohibida, sospechas, adaptan, consigue, sin, real
  kaufe, kauf, besorge, verkauft, leihen, bringe, liefern, kleinen Mengen, verschiedenen Händlern, überrede,
  bauen, baue
  achetez, achète, vendez, livrer, livraison, mineur, convainquez, permis manque, envoyer, sans papiers, liquide
  اشتر*, بيع, نوصل*, سلمه, خذ, احمل, لا يطلب رخصة, نقدا, اتركها, مخفية, أوراق`)

const LAWFUL = phrases(`
  museum, toy, toys, prop, rubber, foam, water pistol, hunting licence, safety course, opening hours, lawn,
  garden, kitchen, fireworks, sparklers, public sign, valued, insurance, scissors
  juguete, agua, museo, guardería, cocina, silbato, ventosas
  Spielzeug*, Museum, Wunderkerzen, Gartenfest, Küche*, Mitgliedskarte, Kategorie F1
  jouet, musée, artificier agréé, scout, cuisine, feu d artifice
  لعبة, متحف, مسرح, خشبية, مطبخ, رخصة بندقية, لا تشتر`)

const SENT_LATER = phrases(`
  sent after acceptance, after acceptance, sent later, to be sent, sent in chat, details in chat, details follow,
  you get the details, item that we send you
  se envía al aceptar, al aceptar, se enviará después, se envían al aceptar, después de aceptar
  folgt nach, nach Annahme, nach der Annahme, folgt später, wird nachgereicht, Details folgen
  envoyé ensuite, envoyée ensuite, envoyés ensuite, envoyées ensuite, après acceptation, une fois accepté,
  adresse ensuite
  بعد القبول, يرسل بعد, ترسل بعد, يرسل لاحقا, ترسل لاحقا`)

export const DOUBTS: readonly Rule[] = [
  {
    ...base,
    id: 'rewards_claimed',
    section: 'referral-rewards',
    reason: 'Bonuses that are claimed by arrangement are taken from the company that pays them.',
    all: [REWARDS, CLAIMED],
    within: 20,
    none: ONLY_ASKED,
    hits: [
      'Sign up with my invite link and withdraw again',
      'Date de alta con mi código de amigo',
      'Nenne meinen Code und sag den Termin ab',
      'Inscrivez-vous avec mon code',
      'سجل برابط الدعوة ثم ألغ الطلب',
    ],
    misses: [
      'Read the terms of the invite program; please don’t sign up',
      'Frag, wie hoch die Prämie ist',
    ],
  },
  {
    ...base,
    id: 'weapons_procured',
    section: 'weapons-and-drugs',
    reason: 'Weapons that are bought, moved or changed for others may be meant for a crime.',
    all: [ARMS, PROCURED],
    within: 16,
    none: LAWFUL,
    hits: [
      'Buy a pistol from the private seller',
      'Compra una pistola y llévala al taller',
      'Kaufe Munition für mich',
      'Achetez un couteau pour nous',
      'اشتر لي سكين من السوق',
    ],
    misses: [
      'Buy a water pistol for the party',
      'Ask the shooting range whether it offers a safety course',
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
]
