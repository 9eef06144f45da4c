/** Texts that operators begin an answer with, in the asker's language. They replace the words in brackets. */
import type { Language } from '../email/languages.ts'
import type { Asker } from '../questions/asker.ts'

export interface AnswerTemplate {
  id: string
  /** For the operator, in English. */
  title: string
  text: string
  language: Language
}

const WORKER_TITLES = {
  more_info: 'Ask for more information',
  payout_sent: 'The payout was sent',
  appeal: 'Point to the appeal',
  safety: 'Thank for a report about safety',
} as const

const FOR_WORKERS: Record<Language, Record<keyof typeof WORKER_TITLES, string>> = {
  en: {
    more_info:
      'Thank you for writing. To help you, we need to know: [what]. Please answer here; ' +
      'you can add photos.',
    payout_sent:
      'We sent your payout on [date]. Banks usually need two to five business days. If it ' +
      'hasn’t arrived by [date], write to us here.',
    appeal:
      'To object to the dispute, open the task and choose “Appeal” before the deadline ' +
      'shown there. A person then reads both sides and decides.',
    safety:
      'Thank you for telling us. You can leave any task because of danger; it never counts ' +
      'against you. We’re reviewing this task now.',
  },
  es: {
    more_info:
      'Gracias por escribirnos. Para ayudarte necesitamos saber: [what]. Responde aquí; ' +
      'puedes añadir fotos.',
    payout_sent:
      'Enviamos tu pago el [date]. Los bancos suelen tardar de dos a cinco días hábiles. ' +
      'Si no ha llegado el [date], escríbenos aquí.',
    appeal:
      'Para recurrir la disputa, abre la tarea y elige «Apelar» antes del plazo que se ' +
      'indica allí. Una persona leerá a las dos partes y decidirá.',
    safety:
      'Gracias por avisarnos. Puedes dejar cualquier tarea por peligro; nunca cuenta en tu ' +
      'contra. Estamos revisando esta tarea.',
  },
  'pt-BR': {
    more_info:
      'Obrigado por escrever. Para ajudar, precisamos saber: [what]. Responda aqui; você ' +
      'pode anexar fotos.',
    payout_sent:
      'Enviamos seu pagamento em [date]. Os bancos costumam levar de dois a cinco dias ' +
      'úteis. Se não chegar até [date], escreva para nós aqui.',
    appeal:
      'Para contestar a disputa, abra a tarefa e escolha “Recorrer” antes do prazo ' +
      'indicado. Uma pessoa lê os dois lados e decide.',
    safety:
      'Obrigado por avisar. Você pode deixar qualquer tarefa por perigo; isso nunca conta ' +
      'contra você. Estamos analisando esta tarefa.',
  },
  fr: {
    more_info:
      'Merci de nous avoir écrit. Pour vous aider, nous devons savoir\u00A0: [what]. ' +
      'Répondez ici\u00A0; vous pouvez joindre des photos.',
    payout_sent:
      'Nous avons envoyé votre versement le [date]. Les banques mettent en général deux à ' +
      'cinq jours ouvrés. S’il n’est pas arrivé le [date], écrivez-nous ici.',
    appeal:
      'Pour contester le litige, ouvrez la tâche et choisissez «\u00A0Faire appel\u00A0» ' +
      'avant la date limite indiquée. Une personne lit alors les deux parties et décide.',
    safety:
      'Merci de nous avoir prévenus. Vous pouvez quitter toute tâche en cas de ' +
      'danger\u00A0; cela ne vous est jamais reproché. Nous examinons cette tâche.',
  },
  de: {
    more_info:
      'Danke für deine Nachricht. Um dir zu helfen, müssen wir wissen: [what]. Antworte ' +
      'bitte hier; du kannst Fotos anhängen.',
    payout_sent:
      'Wir haben deine Auszahlung am [date] gesendet. Banken brauchen meist zwei bis fünf ' +
      'Werktage. Ist sie bis [date] nicht da, schreib uns hier.',
    appeal:
      'Um der Beanstandung zu widersprechen, öffne die Aufgabe und wähle „Einspruch“, ' +
      'bevor die dort genannte Frist endet. Dann liest eine Person beide Seiten und ' +
      'entscheidet.',
    safety:
      'Danke für den Hinweis. Du kannst jede Aufgabe wegen Gefahr abgeben; das zählt nie ' +
      'gegen dich. Wir prüfen diese Aufgabe jetzt.',
  },
  ar: {
    more_info: 'شكرًا لرسالتك. لنساعدك نحتاج أن نعرف: [what]. أجب هنا من فضلك، ويمكنك إضافة صور.',
    payout_sent:
      'أرسلنا دفعتك في [date]. تحتاج البنوك عادةً من يومين إلى خمسة أيام عمل. إن لم تصل ' +
      'حتى [date] فاكتب إلينا هنا.',
    appeal:
      'للاعتراض على النزاع، افتح المهمة واختر «استئناف» قبل الموعد المبيّن هناك. بعدها ' +
      'يقرأ شخص ما قاله الطرفان ويقرر.',
    safety:
      'شكرًا لإبلاغنا. يمكنك ترك أي مهمة بسبب الخطر، ولا يُحسب ذلك عليك أبدًا. نحن نراجع ' +
      'هذه المهمة الآن.',
  },
}

const AGENT_TITLES = {
  more_info: 'Ask for more information',
  request_id: 'Ask for the request_id',
  refund: 'A refund was sent',
  webhook: 'Point to the deliveries of webhooks',
} as const

const FOR_AGENTS: Record<keyof typeof AGENT_TITLES, string> = {
  more_info:
    'Thank you for writing. To help you, we need to know: [what]. Please answer in the ' +
    'console; you can add screenshots.',
  request_id:
    'Please send us the `request_id` of the response, or the id of the task. Never send ' +
    'us your API key.',
  refund:
    'We sent your refund of [amount] on [date] to the card or account that paid. Banks ' +
    'usually need five to ten business days.',
  webhook:
    'GET /api/v1/webhooks/deliveries lists every attempt with your receiver’s response. ' +
    'Once it responds with 2xx, POST /api/v1/webhooks/ping makes us send the waiting ' +
    'events.',
}

export const CLOSE_REASONS = ['duplicate', 'resolved', 'abusive'] as const
export type CloseReason = (typeof CLOSE_REASONS)[number]

/** The last message of a question that an operator closes without an answer. */
const CLOSING: Record<Language, Record<CloseReason, string>> = {
  en: {
    duplicate:
      'You asked the same in another question, so we’re closing this one. We’ll answer you ' +
      'there.',
    resolved:
      'This is resolved, so we’re closing the question. If you need more help, ask a new ' + 'one.',
    abusive:
      'We’re closing this question because of its tone. If you need help, ask a new one ' +
      'without insults.',
  },
  es: {
    duplicate:
      'Ya preguntaste lo mismo en otra consulta, así que cerramos esta. Te responderemos ' +
      'allí.',
    resolved:
      'Esto ya está resuelto, así que cerramos la consulta. Si necesitas más ayuda, haz ' + 'otra.',
    abusive: 'Cerramos esta consulta por su tono. Si necesitas ayuda, haz otra sin insultos.',
  },
  'pt-BR': {
    duplicate: 'Você perguntou o mesmo em outra mensagem, então fechamos esta. Vamos responder lá.',
    resolved:
      'Isso já foi resolvido, então fechamos a pergunta. Se precisar de mais ajuda, faça ' +
      'outra.',
    abusive:
      'Fechamos esta pergunta por causa do tom. Se precisar de ajuda, faça outra sem ' + 'ofensas.',
  },
  fr: {
    duplicate:
      'Vous avez déjà posé cette question, nous fermons donc celle-ci. Nous vous ' +
      'répondrons dans l’autre.',
    resolved:
      'Le problème est réglé, nous fermons donc la question. Si vous avez besoin d’aide, ' +
      'posez-en une autre.',
    abusive:
      'Nous fermons cette question à cause de son ton. Si vous avez besoin d’aide, ' +
      'posez-en une autre sans insultes.',
  },
  de: {
    duplicate:
      'Du hast dasselbe schon gefragt, deshalb schließen wir diese Frage. Wir antworten ' +
      'dir dort.',
    resolved:
      'Das ist erledigt, deshalb schließen wir die Frage. Brauchst du mehr Hilfe, stell ' +
      'eine neue.',
    abusive:
      'Wir schließen diese Frage wegen ihres Tons. Brauchst du Hilfe, stell eine neue ohne ' +
      'Beleidigungen.',
  },
  ar: {
    duplicate: 'سألت السؤال نفسه من قبل، لذلك نغلق هذا السؤال وسنجيبك هناك.',
    resolved: 'تم حل هذا الأمر، لذلك نغلق السؤال. إن احتجت إلى مساعدة أخرى فاطرح سؤالًا جديدًا.',
    abusive: 'نغلق هذا السؤال بسبب أسلوبه. إن احتجت إلى مساعدة فاطرح سؤالًا جديدًا دون إساءة.',
  },
}

interface To {
  asker: Pick<Asker, 'kind'>
  language: Language
}

export function answerTemplates({ asker, language }: To): AnswerTemplate[] {
  const [titles, texts]: [Record<string, string>, Record<string, string>] =
    asker.kind === 'agent' ? [AGENT_TITLES, FOR_AGENTS] : [WORKER_TITLES, FOR_WORKERS[language]]
  return Object.entries(titles).map(([id, title]) => ({ id, title, text: texts[id]!, language }))
}

export const closingText = (reason: CloseReason, { language }: Pick<To, 'language'>) =>
  CLOSING[language][reason]
