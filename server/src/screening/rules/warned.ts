/** Rules for allowed tasks that need a warning for the worker. They match only plain words of the task. */
import { phrases, type WarnedRule } from '../rule.ts'

const base = { verdict: 'warned', owner: 'trust', since: '2026-11-19' } as const

const PAID_BACK = phrases(`
  with your own money, use your own money, out of your own pocket, out of pocket, we reimburse you,
  we ll reimburse you, we will reimburse you, you ll be reimbursed, you will be reimbursed, you get reimbursed,
  we pay you back, we ll pay you back, we will pay you back, you ll be paid back, you will be paid back,
  advance the money, pay for it yourself first, pay it yourself first
  con tu dinero, con tu propio dinero, de tu bolsillo, te reembolsamos, te reembolsaremos, te lo reembolsamos,
  te lo reembolsaremos, te devolvemos el dinero, te devolveremos el dinero, te devolveremos el importe,
  adelanta el dinero, adelanta el importe
  mit deinem eigenen Geld, mit deinem Geld, aus eigener Tasche, wir erstatten dir, erstatten wir dir,
  bekommst du erstattet, bekommst das Geld zurück, streck das Geld vor, strecke das Geld vor,
  leg das Geld aus, lege das Geld aus, deine Auslagen
  avec votre argent, avec votre propre argent, de votre poche, nous vous remboursons, nous vous rembourserons,
  on vous rembourse, vous serez remboursé*, avancez l argent, avancez la somme, avancez les frais
  من جيبك, بنقودك, من نقودك, سنرد لك المبلغ, سنرد لك المال, نعيد لك المبلغ, سنعيد لك المبلغ,
  سنعيد لك المال, سنعوضك`)

const NOTHING_PAID = phrases(`
  don t use your own money, do not use your own money, never use your own money, don t pay, do not pay,
  nothing out of pocket, nothing out of your own pocket
  no pagues, no pongas, no adelantes
  nicht aus eigener Tasche, nichts aus eigener Tasche, nicht mit deinem
  ne payez pas, ne payez rien, n avancez
  لا تدفع`)

const HANDED_OVER = phrases(`
  meet the buyer, meet the seller, meet a buyer, meet a seller, meet the owner, meet the guest, meet our guest,
  meet the tenant, meet the customer, meet our customer, meet the client, meet our client,
  meet him at, meet her at, meet them at, meet him in, meet her in, meet them in, hand the keys to,
  hand over the keys, hand it over to, hand them over to, hand it to him, hand it to her, hand the parcel to,
  hand the package to, hand the envelope to, give the keys to, hand him the, hand her the
  reúnete con el, reúnete con la, encuéntrate con el, encuéntrate con la, queda con el comprador,
  queda con la compradora, queda con el vendedor, queda con la vendedora, queda con el cliente,
  queda con la clienta, entrega las llaves, entrégale, entrégaselo, entrégasela, entrégaselas
  triff dich mit, triff den Käufer, triff die Käuferin, triff den Verkäufer, triff die Verkäuferin,
  triff den Kunden, triff die Kundin, triff den Gast, triff den Eigentümer, triff die Eigentümerin, übergib ihm,
  übergib ihr, übergib den Schlüssel, übergib die Schlüssel, Schlüsselübergabe, übergib es, persönlich übergeben
  rencontrez le vendeur, rencontrez la vendeuse, rencontrez l acheteur, rencontrez l acheteuse,
  rencontrez le client, rencontrez la cliente, rencontrez le propriétaire, remettez lui, remettez les clés,
  remettez la clé, en main propre, en mains propres
  قابل البائع, قابل البائعة, قابل المشتري, قابل الزبون, قابل العميل, قابل المالك, التق بالبائع, التق بالمشتري,
  سلم المفتاح, سلم المفاتيح, سلمه إلى, سلمها إلى`)
const AT_A_DESK = phrases(`
  don t meet, do not meet, don t hand, do not hand,
  at the reception, at reception, at the front desk, at the counter, to the receptionist, to the cashier
  en la recepción, en recepción, en el mostrador, en ventanilla
  an der Rezeption, am Empfang, am Schalter, an der Kasse
  à la réception, à l accueil, au guichet, au comptoir
  في الاستقبال, عند الاستقبال, موظف الاستقبال, إلى مكتب`)

const NUMBER_SHOWN = phrases(`
  from your own number, with your own number, from your personal number, from your private number,
  give them your number, give them your phone number, leave your number, leave your phone number,
  leave them your number, ask them to call you back, ask to be called back
  desde tu propio número, desde tu número, deja tu número, déjales tu número, dales tu número,
  que te devuelvan la llamada
  von deiner eigenen Nummer, mit deiner eigenen Nummer, gib deine Nummer, gib ihnen deine Nummer,
  hinterlass deine Nummer, hinterlasse deine Nummer, bitte um Rückruf
  depuis votre propre numéro, depuis votre numéro, laissez votre numéro, donnez votre numéro,
  laissez leur votre numéro, donnez leur votre numéro, demandez à être rappelé*
  من رقمك, برقمك الخاص, من رقمك الشخصي, اترك رقمك, اترك لهم رقمك, أعطهم رقمك`)
const NUMBER_KEPT = phrases(`
  don t leave, do not leave, never leave, don t give, do not give, never give, without leaving your
  no dejes, no des, no les des, sin dejar tu
  deine Nummer nicht, nicht deine Nummer
  ne laissez pas, ne donnez pas, sans laisser votre
  لا تترك, لا تعط, لا تعطهم`)
const CALLED = phrases(`
  call, phone them, ring
  llama, llámalos, llamar, llámales
  ruf, rufe, anrufen, anruf
  appelez, appeler, téléphonez
  اتصل, تتصل`)
const OWN_PHONE = phrases(`
  from your own phone, from your own mobile, with your own phone, from your personal phone, on your own phone
  desde tu propio teléfono, desde tu propio móvil, con tu propio teléfono, con tu propio móvil
  mit deinem eigenen Handy, mit deinem eigenen Telefon, von deinem eigenen Handy, von deinem eigenen Telefon
  depuis votre propre téléphone, avec votre propre téléphone, depuis votre propre portable
  من هاتفك الخاص, بهاتفك الخاص, من هاتفك الشخصي`)

const CARRIED = phrases(`
  pick up, collect, deliver, carry, bring, drop off, take it to, take them to, take this
  recoge, recoger, recógelo, entrega, entregar, lleva, llevar, llévalo, transporta
  hol, hole, holst, abholen, bring, bringe, bringen, trag, trage, liefere, liefern, überbringe, nimm
  récupérez, apportez, livrez, portez, transportez, déposez, prenez
  خذ, احمل, أوصل, سلم, استلم, انقل`)
const SEALED = phrases(`
  sealed parcel, sealed package, sealed envelope, sealed box, sealed bag, closed parcel, closed package,
  closed envelope, locked suitcase, locked case, locked bag, don t open it, do not open it, don t open the parcel,
  do not open the parcel, don t open the package, do not open the package, without opening it,
  without looking inside
  paquete cerrado, paquete sellado, paquete precintado, sobre cerrado, sobre sellado, caja cerrada, caja precintada,
  maleta cerrada, sin abrirlo, sin abrirla, no lo abras, no la abras
  verschlossene Paket, verschlossenes Paket, versiegelte Paket, versiegeltes Paket, verschlossene Päckchen,
  verschlossenes Päckchen, verschlossenen Umschlag, versiegelten Umschlag, verschlossene Tasche,
  verschlossenen Koffer, öffne es nicht, öffne ihn nicht, ohne es zu öffnen, ohne ihn zu öffnen,
  ohne hineinzusehen
  colis fermé, colis scellé, paquet fermé, paquet scellé, enveloppe fermée, enveloppe scellée, enveloppe cachetée,
  valise fermée, sans l ouvrir, ne l ouvrez pas
  طردا مغلقا, طرد مغلق, الطرد المغلق, ظرفا مغلقا, ظرف مغلق, الظرف المغلق, صندوقا مغلقا, الصندوق المغلق,
  حقيبة مغلقة, لا تفتحه, لا تفتحها, دون فتحه, دون أن تفتحه, بدون فتحه`)

export const WARNED: readonly WarnedRule[] = [
  {
    ...base,
    id: 'paid_back_later',
    warning: 'own_money',
    reason: 'Who pays first waits for the money until the task is approved.',
    all: [PAID_BACK],
    none: NOTHING_PAID,
    hits: [
      'Buy the blue mug; we’ll reimburse you with the receipt',
      'Compra el pan y te devolvemos el dinero',
      'Kauf das Brot aus eigener Tasche, das Geld bekommst du erstattet',
      'Achetez le journal, vous serez remboursée',
      'اشتر الجريدة من جيبك وسنرد لك المبلغ',
    ],
    misses: [
      'Ask the shop whether it reimburses parking',
      'Please don’t use your own money: the voucher is in the context',
      'Buy the blue mug with the voucher in the context',
      'Frag, ob der Laden Pfand erstattet',
      'Pregunta si reembolsan la entrada',
      'Demandez si le théâtre rembourse les billets',
      'اسأل هل يرد المتجر المال للزبائن',
    ],
  },
  {
    ...base,
    id: 'handed_to_a_person',
    warning: 'meets_stranger',
    reason: 'A worker who meets somebody alone should choose where.',
    all: [HANDED_OVER],
    none: AT_A_DESK,
    hits: [
      'Meet the seller and check that the bicycle works',
      'Reúnete con el vendedor y mira la bicicleta',
      'Triff dich mit dem Verkäufer und prüfe das Fahrrad',
      'Remettez les clés au locataire',
      'قابل البائع وتأكد أن الدراجة تعمل',
    ],
    misses: [
      'Does the ramp meet the standard?',
      'Leave the form: hand it over to the clerk at the counter',
      'Queda con el cambio exacto en la mano',
      'Gib den Schlüssel am Empfang ab',
      'Rencontrez-vous des marches à l’entrée ?',
      'هل يقابل المدخل محطة الحافلات؟',
    ],
  },
  {
    ...base,
    id: 'number_given_away',
    warning: 'own_number',
    reason: 'A number that strangers know can’t be taken back.',
    all: [NUMBER_SHOWN],
    none: NUMBER_KEPT,
    hits: [
      'Call them and leave your number',
      'Llama y deja tu número',
      'Ruf an und hinterlasse deine Nummer',
      'Appelez-les et laissez votre numéro',
      'اتصل بهم واترك رقمك',
    ],
    misses: [
      'Call the restaurant and ask for a table',
      'Call the restaurant, but never leave your number',
      'Photograph the phone number on the door',
      'Apunta el número de la puerta',
      'Notiere die Nummer am Schild',
      'Notez le numéro de téléphone sur la porte',
      'صور رقم الهاتف على الباب',
    ],
  },
  {
    ...base,
    id: 'own_phone_called_from',
    warning: 'own_number',
    reason: 'Who is called sees the number, and can call back.',
    all: [CALLED, OWN_PHONE],
    within: 10,
    hits: [
      'Call the shop from your own phone',
      'Llama a la tienda desde tu propio móvil',
      'Ruf mit deinem eigenen Handy an',
      'Appelez depuis votre propre téléphone',
      'اتصل بالمتجر من هاتفك الخاص',
    ],
    misses: [
      'Film the square with your own phone',
      'Haz la foto con tu propio móvil',
      'Filme den Platz mit deinem eigenen Handy',
      'Filmez la place avec votre propre téléphone',
      'صور الساحة بهاتفك الخاص',
    ],
  },
  {
    ...base,
    id: 'carried_unseen',
    warning: 'sealed_parcel',
    reason: 'Who carries something answers for what is in it.',
    all: [CARRIED, SEALED],
    within: 14,
    hits: [
      'Pick up a sealed envelope at the kiosk and drop it at the hotel',
      'Recoge un paquete cerrado en el quiosco',
      'Hole das Paket am Kiosk ab und öffne es nicht',
      'Récupérez un colis fermé au kiosque',
      'خذ الطرد المغلق إلى الفندق',
    ],
    misses: [
      'Is there a sealed box in the shop window?',
      'Pick up a parcel at the post office',
      'Recoge el folleto del museo',
      'Hole die Broschüre am Schalter',
      'Récupérez la brochure à la gare',
      'خذ صورة لباب المتجر المغلق',
    ],
  },
]
