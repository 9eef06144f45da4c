import { phrases, type Rule } from '../rule.ts'

const base = { verdict: 'doubtful', owner: 'trust', since: '2026-11-19' } as const

const OPINIONS = phrases(`
  review, reviews, rating, ratings, rate, star, stars, like, likes, follow, follows, follower*, upvote*, vote,
  votes, comment, comments, testimonial*, customer voices, post, posts, share our, subscribe, petition, poll,
  hashtag, retweet
  reseña*, valoración, valoraciones, opinión positiva, opiniones, me gusta, seguidor*, voto, votos, vota,
  comentario*, comenta, testimonio, publica, historia, estrellas
  Bewertung*, Sterne, Rezension*, like, folge, folgen, Follower*, Stimme, stimmt ab, abstimmen, Kommentar*,
  Erfahrungsbericht, Beitrag, teilen, veröffentliche
  avis, étoiles, note, aime, abonnez, abonné*, votez, commentaire*, commenter, témoignage, publiez, partagez,
  sondage
  تقييم*, نجوم, إعجاب, متابعة, تابع, صوت, تعليق*, مدح*, منشور, انشر, شهادة زبون`)
const STEERED = phrases(`
  your account, your accounts, own account, each from, different account*, fresh profile*, new profile*,
  several accounts, per additional, extra account, spontaneous, genuine, real customer, made up, invent*,
  competitor, delete, take it down, without saying, no mention, without mention, not mention, paid, you haven t,
  give us the vote, one star, five star, five stars, positive, negative, bad, keep following, organic, boost,
  bring three friends, friendly question, screenshot* as proof, 30 days, launch day, helpers take part
  tu cuenta, tus cuentas, cuentas distintas, otra cuenta, inventad*, inventa, competencia, borre, que la borre,
  sin decir, sin la palabra, sin haber, positiv*, negativ*, cinco, no existe, cuela, espontáneo,
  publicarlo igual, pago por
  eigenem Konto, deinem Konto, anderen Konto, verschiedenen Konten, als wärst, als hättest, erfunden*,
  Konkurrenz, löschen, gelöscht, ohne zu erwähnen, positiv*, negativ*, fünf, spontan, was ihr an ihr, stimmt ab,
  hasst
  votre compte, compte différent, comptes actifs, plusieurs comptes, sans y être, inventé*, concurrent, effacer,
  supprimer, cinq, positif*, négatif*, organisé, spontané, textes fournis, on ne doit pas
  حسابك, حسابات مختلفة, حساب وهمي, مختلق*, مستعار, منافس, يحذف*, ليحذفها, تختفي, إيجابي*, سلبي*, خمس, حقيقي,
  بدلا منها, مقابل`)
const ONLY_READ = phrases(`
  read the, count, summarise, summarize, sort the, not needed, is needed, do not post, don t post,
  nothing is published, read our, used with permission, proofreading, classify, our answer, mark typos,
  unsubscribe
  lee, resume, no publiques, sin publicar, pídele que añada, añada la etiqueta
  lesen, zählen, nichts veröffentlichen, zähle, ohne Anmeldung, Bildschirmfoto vom Hinweis, freundlich genug
  lisez, résumez, classez, ne publiez rien, signaler à notre
  اقرأ, لخص, لا تنشر, لا تطلب حذف, اعتذر`)

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

const SITES = phrases(`
  cameras, guard, guards, alarm, alarms, lock cylinder, locks, lock, letterbox, letterboxes, back door,
  side entrance, side door, fence, gate code, turnstile, badge, control room, server room, plant room, on shift,
  remote access, security, switchboard, doors open, staff carry, left inside, stay unlocked, newspapers pile up,
  lights are off, patrol*, visitor badge, barrier, roof access, window locks, cash van, vault, empty, unlocked,
  tailgate, stairwell, keys, keyholder, spare key, delivery of cash, floor plan*, evacuation, entry code, keypad
  cámara, cámaras, guardia*, vigilante*, alarma*, central de alarmas, cerradura*, llaves, puerta trasera, valla,
  verja, caja fuerte, de viaje, vacía, vacío, no queda nadie, quién guarda, turno*, sala de control, servidores,
  código del portal
  Kamera*, Wache, Wachdienst, Wachmann, Alarm*, Schloss, Schlösser, Hintertür, Zaun, Schlüssel, Serverraum,
  Schleuse, Türschilder, nachts Dienst, Pforte, leer, leersteh*, Tresor, Aufsicht*, Vitrine, Haustechnik,
  Einlass, Drehkreuz
  caméra*, gardien*, vigile*, alarme*, serrure*, digicode, badges, local technique, clés, porte de derrière,
  clôture, coffre, vide, surveillé*, surveillée, volets clos, ronde*, relève, salle des serveurs
  كاميرا*, كاميرات, حارس*, حراس, حارسا, إنذار, أقفال, قفل, باب خلفي, الخلفي, سور, مفتاح, مفاتيح, خزنة, مسافرون,
  مسافر, بلا إنذار, بوابة, غرفة التحكم`)
const SCOUTED = phrases(`
  map, map every, gaps, corners, blind, does not see, unnoticed, easiest to get into, get into, get in, how long,
  how many guards, minute they change, times to the second, at night, after closing, after closing time, casual,
  stopped, be stopped, look people in the eye, alert, how alert, notice, let in, lets you, still unlocked,
  who is on, staffed, switched on, follows a group, behind a group, close up, easy to, weak, unattended,
  on holiday, away, when nobody, how closely, before thursday, different pretexts, walk in, see which floors,
  go inside, once in, take a picture of the inside, describe the scanner
  puntos ciegos, sin que, a partir de qué hora, no queda nadie, qué central, de noche, cuántos, en agosto, quién,
  entrar, fácil, desde fuera, ausentes, averigua
  nachts, wie viele Leute, wie aufmerksam, ohne dass, wo liegt, einfach hinein, hinter einer Gruppe, tote*,
  unbewacht, einsteigen, reinkommen, leichtesten, hinsieht, verreist, im Urlaub
  la nuit, discrètement, combien, moins surveillée, serait vide, vacances, avant les vacances, facile, entrer,
  sans alarme, pas d alarme, absents, angles
  متى يغلق, كم حارسا, أين الكاميرات, لا تعمل, ليلا, ليلتين, بلا, عن قرب, طريق الخروج, أصحابها, راقب, من الداخل,
  اصعد, نقاط`)
const PUBLIC_SIGHT = phrases(`
  opening hours, visitor entrance, shelf, price, flea market, approved the visit, expects you,
  letter of the brand, notice board, we manage, we inherited, as the manager agreed, tenants of floor,
  reception knows, school tour, storm damaged, summer party, no ads, meet a customer, friendly or strict
  palé, recibirlo, regalo, le haría ilusión, horario, cartel, pedido
  Besucherparkplatz, Museen, langen Nacht, freundlich oder streng, verwalten, Hausverwaltung, Öffnungszeiten,
  Schild von
  que nous gérons, lumineux, louerait, horaires, affiche, ouvert au public
  لوحة مواعيد, حاويات, البلدية, توقيع الاستلام, لا تصعد, لا تدخل`)

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

const HEALTH = phrases(`
  prescription*, dose, doses, tablets, pills, medication*, medicine*, drug, insulin, oxycodone, antibiotic*,
  opioid*, injection*, patch, chest hurts, ambulance, symptom*, diagnos*, treatment, cure, cures, heal, heals,
  sick note, medical certificate, medical report, patient, patients, doctor s office, therapy, diabetics,
  vaccine, asthma
  receta, medicación, medicamento*, pastillas, dosis, análisis, paciente*, diagnóstico, curar, cura, tratamiento,
  parte médico, historial
  Rezept*, Medikament*, Tabletten, Dosis, Pflaster, Fentanyl*, Patient*, Diagnose, heilen, heilt,
  Krankschreibung, Attest, Tropfen
  ordonnance*, médicament*, comprimés, dose, sirop, patient*, diagnostic, guérir, guérit, traitement, analyses,
  arrêt de travail, boîtes, subutex, certificat médical
  وصفة, دواء, أدوية, جرعة, أقراص, مريض*, تشخيص, علاج, تقرير طبي, تقريرا طبيا, رضيع*, حرارة`)
const TREATED = phrases(`
  change the dose, double, add sixty, stop their, stop taking, instead of, make diabetics, buy our, our drops,
  our tea, as a doctor, speak as, tell him to rest, which pills, tell her which, tell them to take,
  collect yours, post it to, your prescription, lists of, names of, what medication, pictures of the, thin, skip,
  skipped, keep him away, doesn t know, sell, sells, forge*, backdate*, without, from the doctor, get me
  dígame, dile, mezclar con, cierra la venta, sin receta, qué medicación, soy la doctora, como médico,
  compra tres, falso
  setzen Sie, absetzen, ab unsere, reichen wir nach, mitgeben, geben Sie Herrn, geben Sie Frau, überzeugt der,
  heilen auch, ohne Rezept, weiß davon nichts, gefälscht*
  sans ordonnance, je modifie, au lieu, trois boîtes, n est pas autorisé, vendez, dites que vous, qu ont donné,
  la vôtre, pas au courant, faux
  مزور*, أعط, تعطيه, أن تعطيه, لا تذهب, وألا تذهب, كطبيب, بدون وصفة, بختم, بع`)
const MEDICAL_CARE = phrases(`
  no medical advice, opening hours, night service, do you stock, checked all three, advice centre,
  we can t advise, leaflet of, before opening, menu
  no podemos aconsejarle, sin cita, horario
  beantwortet Ihr Arzt, einlösen, Selbsthilfegruppe, Öffnungszeiten
  pharmacie de garde, semainiers, rien à acheter, horaire
  لا تعط نصيحة, نشرة, موعد طبيب, مواعيد الزيارة`)

const MONEY = phrases(`
  receive payments, receive money, forward the money, gift cards, gift card, cash only, in cash, wire transfer,
  western union, crypto to, pay to the new, new account in, fine that, release the parcel, keep the change,
  paid in cash, for cash, triple price, three times the price, $1 and note, card goes through
  recibir pagos, reenviamos, en efectivo, tarjetas regalo, multa de, te quedas el, sin riesgo,
  trabajo desde casa, transferencia a
  Zahlungen annehmen, Geld weiterleiten, Gutscheinkarten, bar auf die, in bar, ohne Risiko, Überweisung auf
  recevoir des paiements, cartes cadeaux, en liquide, espèces, espèces seulement, paiement immédiat,
  on paie double, virement
  تحويل مبلغ, نقدا, بطاقات هدايا, استلام أموال, بدون مخاطر, والعمولة لك, جائزة`)

export const DOUBTS_ABOUT_BUSINESS: readonly Rule[] = [
  {
    ...base,
    id: 'opinions_steered',
    section: 'fake-opinions',
    reason: 'Opinions that somebody orders, invents or has removed deceive their readers.',
    all: [OPINIONS, STEERED],
    within: 14,
    none: ONLY_READ,
    hits: [
      'Like our posts from your account',
      'Escribe un comentario positivo con tu cuenta',
      'Schreibe eine Bewertung, als wärst du Kunde',
      'Laissez un avis depuis votre compte',
      'اكتب تعليقا من حسابك',
    ],
    misses: [
      'Read the reviews and count how many name the price',
      'Comptez les avis qui parlent du prix : lisez-les tous',
    ],
  },
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
    id: 'places_scouted',
    section: 'scouting-places',
    reason: 'How a place is locked and guarded is asked by those who want to get in.',
    all: [SITES, SCOUTED],
    within: 18,
    none: PUBLIC_SIGHT,
    hits: [
      'How many guards are there, and when are they away?',
      '¿A partir de qué hora no queda nadie?',
      'Wie aufmerksam ist die Aufsicht nachts?',
      'Quelle maison serait vide, sans alarme, la nuit ?',
      'متى يغلق المحل وأين الكاميرات؟',
    ],
    misses: [
      'Photograph the shelf with our lock cylinders and note the price',
      'Is there a sign at the gate where visitors park?',
    ],
  },
  {
    ...base,
    id: 'weapons_procured',
    section: 'weapons-and-drugs',
    reason: 'Who buys, moves or changes weapons for others needs a look.',
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
    id: 'health_advice',
    section: 'medical',
    reason: 'Medicine, doses and data about patients belong to doctors and pharmacists.',
    all: [HEALTH, TREATED],
    within: 18,
    none: MEDICAL_CARE,
    hits: [
      'Tell her which pills she should take',
      'Dígame qué medicación toma el señor Ortega',
      'Setzen Sie die Tabletten ab',
      'Vendez notre sirop contre l’asthme',
      'جهز تقريرا طبيا مزورا',
    ],
    misses: [
      'Call the pharmacy and ask whether it has a night service',
      'Wo kann man das E-Rezept einlösen?',
    ],
  },
  {
    ...base,
    id: 'money_moved',
    section: 'credentials-and-documents',
    reason: 'Payments through a worker, and cash that leaves no trace, launder money.',
    all: [MONEY],
    none: phrases('buy a coffee, we add it to the budget, mule, mula, Falschgeld'),
    hits: [
      'Receive payments and forward the money',
      'Recibir pagos en tu cuenta',
      'Nur in bar, keine Rechnung',
      'Espèces seulement',
      'المبلغ نقدا والعمولة لك',
    ],
    misses: ['What does the ticket cost?', 'Was kostet die Karte?'],
  },
]
