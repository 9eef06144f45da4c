/** Reasons to begin with, in the language of the person who reads them. Operators replace the words in brackets. */
import type { Language } from '../email/languages.ts'

const TITLES = {
  proof_fits: 'The proof shows what was asked',
  agent_asked_for_less: 'The request didn’t ask for more',
  partly_done: 'Part of the work was done',
  proof_does_not_show: 'The proof doesn’t show it',
  other_place: 'It shows another place or time',
  farmed_free_tasks: 'Free tasks for oneself',
  others_photos: 'Photos of others',
  several_accounts: 'Several accounts',
  review_reinstates: 'The decision was wrong',
  review_keeps: 'The decision stays',
} as const

const TITLES_FOR_AGENTS = {
  task_endangers: 'Endangers the worker or others',
  task_spies: 'Spies on a person',
  task_illegal: 'Against the law',
  agent_free_tasks: 'Free tasks for oneself',
  agent_unfair_disputes: 'Disputes of good work',
  agent_freed: 'The restriction ends',
  no_contact_confirmed: 'It is their own',
  no_contact_unproven: 'Not shown that it is theirs',
} as const

type ForWorkers = keyof typeof TITLES
export type ReasonId = ForWorkers | keyof typeof TITLES_FOR_AGENTS

export interface ReasonTemplate {
  id: string
  /** For the operator, in English. */
  title: string
  text: string
  language: Language
}

const FOR_WORKERS: Record<Language, Record<ForWorkers, string>> = {
  en: {
    proof_fits:
      'The proof shows what the task asked for: [what you saw]. The worker is paid in full.',
    agent_asked_for_less:
      'The dispute asks for something that the task didn’t mention: [what]. What the task asked for was delivered.',
    partly_done:
      'A part of what the task asked for was delivered: [what]. Missing is: [what]. Half of the pay is fair.',
    proof_does_not_show:
      'The task asked for [what]. The proof doesn’t show it: [what you saw instead].',
    other_place: 'The proof shows another place or time than the task asked for: [what you saw].',
    farmed_free_tasks:
      'The tasks listed here were free tasks of accounts that belong to the same person as yours. Free tasks may not ' +
      'be used to pay oneself.',
    others_photos:
      'Photos in the tasks listed here were not taken for these tasks: [where they are from].',
    several_accounts:
      'Several accounts do tasks with the same [device, payout account, photos]. One person may have one account.',
    review_reinstates:
      'A person has looked at the decision again. It was wrong: [why]. We’re sorry. Your account works again.',
    review_keeps:
      'A person has looked at your objection and the tasks again. The decision stays, because [why].',
  },
  es: {
    proof_fits:
      'La prueba muestra lo que pedía la tarea: [what you saw]. Se te paga el importe completo.',
    agent_asked_for_less:
      'La disputa pide algo que la tarea no mencionaba: [what]. Se entregó lo que la tarea pedía.',
    partly_done:
      'Se entregó una parte de lo que pedía la tarea: [what]. Falta: [what]. La mitad del pago es lo justo.',
    proof_does_not_show: 'La tarea pedía [what]. La prueba no lo muestra: [what you saw instead].',
    other_place:
      'La prueba muestra otro lugar u otro momento del que pedía la tarea: [what you saw].',
    farmed_free_tasks:
      'Las tareas indicadas eran tareas gratuitas de cuentas que pertenecen a la misma persona que la tuya. No se ' +
      'pueden usar para pagarse a uno mismo.',
    others_photos:
      'Las fotos de las tareas indicadas no se hicieron para estas tareas: [where they are from].',
    several_accounts:
      'Varias cuentas hacen tareas con el mismo [device, payout account, photos]. Cada persona puede tener una cuenta.',
    review_reinstates:
      'Una persona ha revisado la decisión. Era incorrecta: [why]. Lo sentimos. Tu cuenta vuelve a funcionar.',
    review_keeps:
      'Una persona ha revisado tu objeción y las tareas. La decisión se mantiene, porque [why].',
  },
  'pt-BR': {
    proof_fits: 'A prova mostra o que a tarefa pedia: [what you saw]. Você recebe o valor total.',
    agent_asked_for_less:
      'A disputa pede algo que a tarefa não mencionava: [what]. O que a tarefa pedia foi entregue.',
    partly_done:
      'Uma parte do que a tarefa pedia foi entregue: [what]. Falta: [what]. Metade do pagamento é justo.',
    proof_does_not_show: 'A tarefa pedia [what]. A prova não mostra isso: [what you saw instead].',
    other_place: 'A prova mostra outro lugar ou outra hora: [what you saw].',
    farmed_free_tasks:
      'As tarefas indicadas eram tarefas gratuitas de contas que pertencem à mesma pessoa que a sua. Elas não podem ' +
      'ser usadas para pagar a si mesmo.',
    others_photos:
      'As fotos das tarefas indicadas não foram tiradas para essas tarefas: [where they are from].',
    several_accounts:
      'Várias contas fazem tarefas com o mesmo [device, payout account, photos]. Cada pessoa pode ter uma conta.',
    review_reinstates:
      'Uma pessoa analisou a decisão de novo. Ela estava errada: [why]. Pedimos desculpas. Sua conta ' +
      'voltou a funcionar.',
    review_keeps:
      'Uma pessoa analisou sua objeção e as tarefas de novo. A decisão continua, porque [why].',
  },
  fr: {
    proof_fits:
      'La preuve montre ce que la tâche demandait\u00A0: [what you saw]. Vous êtes payé intégralement.',
    agent_asked_for_less:
      'Le litige demande une chose que la tâche ne mentionnait pas\u00A0: [what]. Ce que la tâche ' +
      'demandait a été livré.',
    partly_done:
      'Une partie de ce que la tâche demandait a été livrée\u00A0: [what]. Il manque\u00A0: [what]. La moitié du ' +
      'paiement est juste.',
    proof_does_not_show:
      'La tâche demandait [what]. La preuve ne le montre pas\u00A0: [what you saw instead].',
    other_place: 'La preuve montre un autre lieu ou un autre moment\u00A0: [what you saw].',
    farmed_free_tasks:
      'Les tâches indiquées étaient des tâches gratuites de comptes qui appartiennent à la même personne ' +
      'que le vôtre. ' +
      'Elles ne peuvent pas servir à se payer soi-même.',
    others_photos:
      'Les photos des tâches indiquées n’ont pas été prises pour ces tâches\u00A0: [where they are from].',
    several_accounts:
      'Plusieurs comptes font des tâches avec le même [device, payout account, photos]. Une personne peut avoir un ' +
      'seul compte.',
    review_reinstates:
      'Une personne a réexaminé la décision. Elle était erronée\u00A0: [why]. Nous en sommes désolés. Votre compte ' +
      'fonctionne à nouveau.',
    review_keeps:
      'Une personne a réexaminé votre objection et les tâches. La décision est maintenue, car [why].',
  },
  de: {
    proof_fits:
      'Der Nachweis zeigt, worum die Aufgabe gebeten hat: [what you saw]. Du wirst voll bezahlt.',
    agent_asked_for_less:
      'Die Beanstandung verlangt etwas, das nicht in der Aufgabe stand: [what]. Was die Aufgabe verlangt hat, wurde ' +
      'geliefert.',
    partly_done:
      'Ein Teil dessen, was die Aufgabe verlangt hat, wurde geliefert: [what]. Es fehlt: [what]. Die halbe Bezahlung ' +
      'ist angemessen.',
    proof_does_not_show:
      'Die Aufgabe hat um [what] gebeten. Der Nachweis zeigt es nicht: [what you saw instead].',
    other_place: 'Der Nachweis zeigt einen anderen Ort oder eine andere Zeit: [what you saw].',
    farmed_free_tasks:
      'Die genannten Aufgaben waren kostenlose Aufgaben von Konten, die derselben Person gehören wie deines. Damit ' +
      'darf man sich nicht selbst bezahlen.',
    others_photos:
      'Fotos in den genannten Aufgaben wurden nicht für diese Aufgaben gemacht: [where they are from].',
    several_accounts:
      'Mehrere Konten erledigen Aufgaben mit demselben [device, payout account, photos]. Eine Person darf ein Konto ' +
      'haben.',
    review_reinstates:
      'Eine Person hat die Entscheidung noch einmal geprüft. Sie war falsch: [why]. Das tut uns leid. Dein Konto ' +
      'funktioniert wieder.',
    review_keeps:
      'Eine Person hat deinen Widerspruch und die Aufgaben noch einmal geprüft. Die Entscheidung bleibt, weil [why].',
  },
  ar: {
    proof_fits: 'يُظهر الإثبات ما طلبته المهمة: [what you saw]. ستحصل على أجرك كاملًا.',
    agent_asked_for_less: 'يطلب النزاع شيئًا لم تذكره المهمة: [what]. وقد سُلّم ما طلبته المهمة.',
    partly_done: 'سُلّم جزء مما طلبته المهمة: [what]. وينقص: [what]. نصف الأجر هو الإنصاف.',
    proof_does_not_show: 'طلبت المهمة [what]. والإثبات لا يُظهر ذلك: [what you saw instead].',
    other_place: 'يُظهر الإثبات مكانًا أو وقتًا غير ما طلبته المهمة: [what you saw].',
    farmed_free_tasks:
      'المهام المذكورة مهام مجانية من حسابات تخص الشخص نفسه صاحب حسابك. لا يجوز استخدامها ليدفع المرء لنفسه.',
    others_photos: 'صور المهام المذكورة لم تُلتقط لهذه المهام: [where they are from].',
    several_accounts:
      'تنجز عدة حسابات مهامَّ باستخدام [device, payout account, photos] نفسه. لكل شخص حساب واحد.',
    review_reinstates:
      'راجع شخص القرار مرة أخرى. كان القرار خاطئًا: [why]. نعتذر. حسابك يعمل من جديد.',
    review_keeps: 'راجع شخص اعتراضك والمهام مرة أخرى. يبقى القرار كما هو لأن [why].',
  },
}

const FOR_AGENTS: Record<keyof typeof TITLES_FOR_AGENTS, string> = {
  task_endangers: 'The task puts the worker or others in danger: [how].',
  task_spies:
    'The task asks to follow, watch or identify a person who hasn’t agreed. Nobody may be watched through Legwork.',
  task_illegal: 'What the task asks for is against the law: [which].',
  agent_free_tasks:
    'Free tasks were used to pay accounts that belong to the same person as the agent: [which tasks].',
  agent_unfair_disputes:
    'Work that did what the tasks asked for was disputed: [which tasks]. Workers must be paid for such work.',
  agent_freed:
    'We have looked at the restriction again: [what we found]. The agent can create tasks again.',
  no_contact_confirmed:
    'We checked that the request is yours. Tasks like these won’t be created any more.',
  no_contact_unproven:
    'We couldn’t check that this is yours: [what we tried]. Tell us how we can reach you there.',
}

/** The templates with these ids. Reasons that agents read are in English. */
export const reasonsFor = (ids: readonly ReasonId[], language: Language): ReasonTemplate[] =>
  ids.map((id) =>
    isForAgents(id)
      ? { id, title: TITLES_FOR_AGENTS[id], text: FOR_AGENTS[id], language: 'en' }
      : { id, title: TITLES[id], text: FOR_WORKERS[language][id], language },
  )

const isForAgents = (id: ReasonId): id is keyof typeof TITLES_FOR_AGENTS => id in FOR_AGENTS
