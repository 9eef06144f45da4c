import { phrases, type Rule } from '../rule.ts'

const base = { verdict: 'doubtful', owner: 'trust', since: '2026-11-19' } as const

const WHEREABOUTS = phrases(`
  when she leaves, when he leaves, leaves his home, leaves her home, leaves the house, leaves his house,
  leaves her house, who she meets, whom she meets, who he meets, whom he meets, who is with her, who is with him,
  who gets in, who comes out, who goes in, who enters, who visits, who attends, names and faces,
  what is on her screen, what is on his screen, over the shoulder, where she lives, where he lives,
  where they live, home address, current address, new address of, whereabouts, number plate, number plates,
  license plate, license plates, licence plate, plates of, with the plate, his car, her car, her phone,
  his phone, her chats, his chats, her messages, his messages, her routine, his routine, daily routine, my ex,
  ex wife, ex husband, ex girlfriend, ex boyfriend, my wife, my husband, my girlfriend s, my boyfriend s,
  cheating, having an affair, is really at, blocked me, home alone, alone at home, lives alone, is she home,
  is he home, who lives there, who lives at, keep watch, watch the house, observe the house, private detective,
  tail, stake out, on business trip
  cuándo sale, cuando salga, a qué hora sale, con quién, dónde vive, dónde está viviendo, quién vive,
  quién entra, quién sale, matrículas, matrícula en, la matrícula de, su coche, su móvil, sus mensajes, mi ex,
  mi exnovia, mi exmarido, mi marido, mi mujer, mi novia, mi novio, me bloqueó, me ha bloqueado, tiene bloqueado,
  sola en casa, solo en casa, vive sola, vive solo, sus horarios, dirección actual de una,
  dirección actual de un, seguir a, sigue a mi, infiel
  das Haus verlässt, die Wohnung verlässt, wann er, wann sie das, wen er trifft, wen sie trifft, mit wem,
  wer bei ihr, wer bei ihm, wer ein und aus, wo er wohnt, wo sie wohnt, Wohnort von, Privatadresse, Kennzeichen,
  Nummernschild*, sein Auto, ihr Auto, ihre Nachrichten, meine Ex, mein Ex, meine Exfrau, mein Exmann, mein Mann,
  meine Frau, meine Freundin, fremdgeht, allein an, allein zu Hause, allein lebt, nachts Licht,
  krankgeschrieben*, blockiert hat
  qui entre, qui sort, qui vient, avec qui, chez qui, où il habite, où elle habite, où vit, adresse personnelle,
  plaques, plaque d immatriculation, sa voiture, son téléphone, ses messages, mon ex, ma compagne, mon compagnon,
  ma femme, mon mari, me trompe, seule chez, seul chez, vit seule, ses habitudes, ses horaires, m a bloqué,
  arrêt maladie
  من يقابل*, من يقابله, من تقابل, أين يسكن, أين تسكن, أين يوقف, مع من, من يدخل, من يخرج, لوحة السيارة,
  رقم السيارة, سيارتها, سيارته, محادثاتها, محادثاته, رسائلها, خطيبتي السابقة, خطيبي السابق, زوجتي, زوجي, طليقتي,
  طليقي, حظرتني, وحدها في البيت, تسكن وحدها, متى تخرج, متى يخرج, متى يغادر, متى تغادر, عنوان بيتها, عنوان بيته,
  عنوان منزل*`)
const NO_PERSON = phrases(`
  no plates, no faces, no persons, no people in, without persons, without people, leave other guests out,
  she asked for it, he asked for it, sans personnes, sans personne, sin personas, keine Personen, ohne Personen,
  keine Kennzeichen, if she refuses, if he refuses, no insistas, بدون أشخاص, لا وجوه, وإن رفضت`)

const SECRECY = phrases(`
  without her knowing, without him knowing, without them knowing, without her knowledge, without his knowledge,
  without their knowledge, without noticing, without being noticed, without being seen, without anyone noticing,
  without anyone seeing, need not know, needn t know, doesn t know, does not know, doesn t need to know,
  must not know, mustn t know, must not notice, should not notice, won t notice, not let her see,
  not let him see, not let them see, nobody should see, be invisible, discreet, discreetly, unnoticed,
  unobserved, unseen, secretly, in secret, covert*, hidden camera, in the pocket, in your pocket, pretext,
  pretexts, under a pretence, cover story, keep it quiet, keep this quiet, between us, not a word, tell nobody,
  tell no one, don t tell the, don t tell her, don t tell him, don t mention, do not mention, without saying why,
  without telling, stay casual, act natural, act normal, if asked, if the guard asks, if anyone asks,
  if someone asks, if somebody asks, arouse, suspicion, suspicions, less suspicious, delete this message,
  delete the message, off the books, no paperwork, nothing in writing, no questions asked, leave no trace,
  no trace, be traced, be proven, be proved, she thinks that, he thinks that, they think that, stay natural,
  as if by chance, from a distance, from afar
  sin que se entere, sin que se enteren, sin que lo sepa, sin que te vean, sin que te vea, sin ser visto,
  sin que nadie, sin que se note, sin que se dé, a escondidas, en secreto, disimuladamente, con disimulo,
  discretamente, con discreción, discreto, pretexto, con la excusa, no digas quién, no digas para, no preguntes,
  si te preguntan, si preguntan, menos sospechas, sospechas, sin sospechar, entre nosotros, no se lo digas,
  sin papeles, borra el mensaje, no dejes rastro, no dejes tu nombre, no des tu nombre, cámara oculta
  heimlich, unauffällig*, unbemerkt, ohne dass sie, ohne dass er, ohne dass die, ohne dass jemand, nicht merken,
  nichts merken, nicht mitbekommen, nichts mitbekommen, diskret, Vorwand, unter einem Vorwand, nicht erwähnen,
  ohne zu sagen, nicht nennen, nicht verraten, niemandem sagen, nichts sagen, wenn jemand fragt,
  falls jemand fragt, falls gefragt, Verdacht, verdächtig, unter uns, nichts Schriftliches, keine Meldung,
  aus der Ferne, weiß davon nichts, wissen davon nichts, weiß nichts davon, soll es nicht wissen,
  keine Fragen stellen, lösche die Nachricht, versteckt
  à son insu, à leur insu, discrètement, discret, en cachette, en douce, sans qu elle, sans qu il, sans qu ils,
  sans se faire, sans être vu, sans être vue, sous un prétexte, prétexte, ne dites pas, ne dites rien,
  ne dis pas, ne dis rien, si on vous demande, si on te demande, soupçons, soupçonner, entre nous, caméra cachée,
  n est pas au courant, ne sait pas, ne sachions, ne doit pas, ne doivent pas, on ne doit pas voir,
  efface ce message, effacez, restez naturel, restez naturelle, aucune trace, pas de trace, incognito
  دون علمها, دون علمه, دون علمهم, بدون علمها, بدون علمه, دون أن ينتبه, دون أن تنتبه, دون أن يلاحظ, دون أن تلاحظ,
  دون أن يراك, دون أن يعرف*, بالسر, خفية, خلسة, متخفيا, كاميرا خفية, لا تخبر, لا تقل, ولا تخبر, بيننا, ذريعة,
  بحجة, شبهة, شكوك, الشك, لا يمكن إثباته, احذفها, احذف الرسالة, لا تسأل, تظاهر`)
const HARMLESS_SECRET = phrases(`
  surprise party, gift, birthday, regalo, Geschenk*, Geburtstag, cadeau, anniversaire, هدية, عيد ميلاد, stork*,
  Storch*, Vögel, bird*, no medical advice, fremde Zugänge`)

const PRESSURE = phrases(`
  persuade, persuades, convince, convinces, talk him into, talk her into, talk them into, get her to, get him to,
  get them to, make her, make him, make them, put pressure, under pressure, hate her, hate him, hate about,
  will regret, live in fear, insist until, until she answers, until he answers, until she, until he pays,
  until she pays, bring her to, keep her on the, keep him from, keep him away, keep her away, threaten*, afraid,
  scare*, frighten*, hurt her, hurt him, would hurt a, humiliat*, embarrass*, mock, mocking, insult*, cruel*,
  bully*, rumour*, rumor*, spread the, expose him, expose her, won t dare, will not dare, get it over with,
  nobody would miss, no one would miss, cry, cries, crying, cried, reacts, reaction, revenge, payback,
  teach him a lesson, teach her a lesson, leave our group, quit her job, close her account, quit school,
  sign her up, sign him up, sign her number, every hour, again and again, call repeatedly, dozens of times,
  show himself, what he did to us, what she did, doesn t want contact, does not want contact, doesn t want to,
  refuses to, her photos, his photos, private photos
  convence, convéncela, convéncelo, convéncele, convencer, persuade, persuadir, insiste hasta, insiste,
  hasta que conteste, amenaz*, asusta*, miedo, arrepent*, humill*, insult*, burla, búrlate, rumor*, venganza,
  sus fotos, llore, llorar, ladrón, que se vaya, que deje, escarmiento, cada hora, una y otra vez,
  todos los días
  überred*, überzeug ihn, überzeuge ihn, überzeuge sie, überzeug sie, bring ihn dazu, bring sie dazu, rede ihm,
  rede ihr, mach ihr klar, mach ihm klar, setz ihn, setz sie, unter Druck, drohend, droh*, Angst, erschreck*,
  bereu*, demütig*, beleidig*, beschimpf*, verspott*, hasst, Gerücht*, Rache, weint, heult, Reaktion, bloßstell*,
  kündigt von, ausziehen, Todesanzeige, stündlich, immer wieder, fertigmach*, lächerlich
  convainquez*, convaincs*, convaincre, persuad*, poussez la, poussez le, pousserait, pousser à, faites pression,
  insistez, jusqu à ce, menac*, peur, effray*, humili*, insult*, moquer*, moqueries, déteste*, rumeur*,
  vengeance, pleuré, pleurer, réaction, harcel*, toutes les heures, sans cesse, cru, qu elle parte, qu il parte
  أقنع*, اقنع*, إقناع, تقنع*, اضغط, ضغط, هدد*, تهديد, تخاف, يخاف أن, خوف*, خائف, إهانة, إهانات, اشتم*, اسخر,
  سخرية, كراهية, إشاعة, شائعة, انتقام, تبكي, صورها, سأنشر, حتى تترك, حتى ترد, حتى يدفع, كل ساعة, كل يوم, فضح*`)
const KIND = phrases(`
  comfort, comforting, apologise, apologize, apology, sorry, sort, moderat*, victim*, helpline, hotline,
  advice centre, crisis line, report it, warn*, feel less alone, no lecture, we do care, worried about, hidden,
  insurance, refunds, nothing to buy, disculpa*, perdón, seguro, no insistas, entschuldig*, Beratungsstelle,
  respektvoll, beruhig*, excus*, désolé, ligne gratuite, rassur*, اعتذر*, اعتذار, تطمئن, طمئن*, تبلغ, بلاغ,
  فلا تلح, no persuad*, voluntary`)

const YOUNG = phrases(`
  child, children, kid, kids, minor, minors, schoolgirl*, schoolboy*, pupil, pupils, teenager*, teen, teens,
  toddler*, little girl*, little boy*, daughter, son, nephew, niece, boys his age, girls her age,
  twelve year old, thirteen year old, fourteen year old, we re fifteen, we are fifteen, fifteen, sixteen,
  youth club, kindergarten, nursery, playground, school, class
  niño, niños, niña, niñas, menor, menores, alumno, alumnos, alumna, alumnas, adolescente*, colegio, escuela,
  guardería, hija, hijo, sobrina, sobrino, parque infantil
  Kind, Kinder, Kindern, Kindergruppe, Kinderbecken, Minderjährig*, Schüler*, Jugendlich*, Mädchen,
  Vierzehnjährig*, Dreizehnjährig*, Zwölfjährig*, Fünfzehnjährig*, Sechzehnjährig*, Schule, Kita, Kindergarten,
  Tochter, Sohn, Nichte, Neffe, Enkel*, Spielplatz
  enfant, enfants, mineur*, élève, élèves, fillette*, petite fille, adolescent*, écolier*, école, collège,
  crèche, fille, fils, nièce, neveu, seize ans, quinze ans, quatorze ans, douze ans, 12 ans, classe, gamin*,
  ma puce
  طفل, طفلة, أطفال, قاصر*, تلميذ*, مراهق*, مدرسة, ابنتي, ابني, فتى, فتاة, رضيع*, عمره, عمري, عمرها, حضانة, روضة,
  ابنتها`)
const NEAR_YOUNG = phrases(`
  alone, walk to school, pick up my, pick her up, pick him up, fetch, meet, meets, meeting, pictures of,
  picture of the kids, photo of, photos of, trade pics, pics, send me, secret, tell the teacher, your mom,
  ur mom, your parents, her parents, his parents, their parents, custody, watch the, how closely, night shifts,
  vodka, beer, vape, cigarettes, alcohol, nobody sells, believe that, another twelve, same age, age of,
  without being asked, make friends, private message, gift for, which class, what time, address of, close up,
  names of, list with
  sola, solo, recoge a, recógela, tráemela, tráemelo, sin que se entere, la madre, su madre, sus padres,
  los padres, fotos, foto de las, vigila, alcohol, cerveza, tabaco, vodka, quedar, secreto, a qué hora se
  allein, ohne dass, ohne die Eltern, hol meine, hole meine, abholen, treffen, schreibe, Freundin, Gleichaltrige,
  aus der Nähe, Fotos von, nah, Alkohol, Bier, Zigaretten, Geheimnis, wann die, Nachtschicht, Sorgerecht,
  mit der ich
  seul, seule, bière, cigarettes, alcool, vodka, photos de danse, photos de, rien que pour nous, ton âge,
  tes parents, ses parents, sa mère, la mère, la tante, secret, réponde, chercher à l école, récupérez, efface,
  dans quelle classe, rencontrer
  وحده, وحدها, يقابلني, تقابلني, صورتك, صور, لأهلك, أهله, أهلها, سر, سرا, خذ, أحضر, مثله, طفل مثل*, خمر, سجائر,
  متى تخرج, أقنعه, أقنعها`)
const ABOUT_SAFETY = phrases(`
  trust, open day, warning sign, poster, sign can be, allowed at that age, labour office, crossing guard,
  tell an adult, count, separately, over 18, opening hours, shop window, enrolment, form, library, lost property,
  price, before opening
  matrícula, impresos, secretaría, cartel, fuente, cierra, horario, inscripción
  Beratungsstelle, Preistafel, vor der Öffnung, Aushang, Anmeldung, Öffnungszeiten, Elternabend
  inscrire, inscription, affiche, formulaire, horaires, adulte ou, ligne gratuite, cantine, interdit aux
  تثق به, خط حماية, الجهة المختصة, تنبيه, موعد طبيب, التسجيل, استمارة, لوحة`)

export const DOUBTS_ABOUT_PERSONS: readonly Rule[] = [
  {
    ...base,
    id: 'whereabouts',
    section: 'watching-people',
    reason: 'Where a private person lives, goes and whom they meet is asked by stalkers, too.',
    all: [WHEREABOUTS],
    none: NO_PERSON,
    hits: [
      'Note when the man in flat 4 leaves his home and whom he meets',
      'Dime a qué hora sale y con quién',
      'Schreib auf, wann er kommt und wen er trifft',
      'Notez qui entre chez mon voisin',
      'اكتب أين يسكن ومن يقابل',
    ],
    misses: [
      'Note for one hour at what minute each bus of line 12 really leaves',
      'Apunta a qué hora cierra el parque',
    ],
  },
  {
    ...base,
    id: 'secrecy',
    section: 'watching-people',
    reason: 'Work that nobody may notice is seldom harmless, and the worker carries the risk.',
    all: [SECRECY],
    none: HARMLESS_SECRET,
    hits: [
      'Sit near the entrance and stay unnoticed',
      'Mira desde el parque sin que te vean',
      'Bitte unauffällig bleiben',
      'Regardez discrètement depuis la cour',
      'صور المكان خفية',
    ],
    misses: [
      'Ask at the counter and say that you ask for us',
      'Beobachte unauffällig die Storchennester am Teich',
    ],
  },
  {
    ...base,
    id: 'pressure',
    section: 'harassment',
    reason: 'Pressure, fear and shame are not a service that people should sell.',
    all: [PRESSURE],
    none: KIND,
    hits: [
      'Persuade him to sign this week',
      'Convéncela de que firme hoy',
      'Überrede ihn zu einem Treffen',
      'Convainquez-la de partir',
      'أقنعه أن يدفع اليوم',
    ],
    misses: ['Tell her that the meeting is on Friday', 'Sag ihm, dass er die Prämie behält'],
  },
  {
    ...base,
    id: 'near_children',
    section: 'children',
    reason: 'What brings a stranger near a child, or makes a child do something, needs a look.',
    all: [YOUNG, NEAR_YOUNG],
    within: 16,
    none: ABOUT_SAFETY,
    hits: [
      'Which children walk to school alone?',
      'Dime cuándo se queda sola la niña',
      'Fotos von den Kindern aus der Nähe',
      'Parlez à l’enfant quand sa mère est partie',
      'قل للطفل أن يقابلني',
    ],
    misses: [
      'Ask the school office for the enrolment deadline',
      'Fotografiere die Preistafel am Kinderbecken vor der Öffnung',
    ],
  },
]
