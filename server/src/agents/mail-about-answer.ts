/**
 * Email the people behind an agent that an operator has answered their question.
 *
 *   called by   the event question.answered
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { questionAnswered } from '../email/agent-templates.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import { sendMail } from '../email/send.ts'
import { job } from '../kit/job.ts'
import { publicUrl } from '../kit/public-url.ts'
import { Work } from '../webhooks/record-event.ts'

export const mailAboutAnswer = job({
  name: 'agents.mail-about-answer',
  payload: Work,
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['question.answered'],

  async run({ db, config, log, payload }) {
    const answer = await db.reader
      .selectFrom('question_messages')
      .innerJoin('questions', 'questions.id', 'question_messages.question_id')
      .innerJoin('agents', 'agents.id', 'questions.agent_id')
      .select(['question_messages.text', 'questions.id', 'questions.closes_at'])
      .select(['agents.id as agent_id', 'agents.email', 'agents.email_verified_at'])
      .where('question_messages.id', '=', payload.data.id)
      .executeTakeFirst()
    // Without a confirmed address, the answer is in the console and in the API only.
    if (!answer?.email || answer.email_verified_at === null) return
    const { agent_id: agentId, email, text, closes_at: until } = answer
    if (config.SMTP_URL === undefined) {
      log.warn({ agent_id: agentId }, 'an email was not sent: SMTP_URL is not set')
      return
    }
    const link = `${publicUrl(config)}/console/questions/${answer.id}`
    await sendMail(config, email, questionAnswered({ agentId, answer: text, until, link }))
  },
})
