/** How soon a person answers: what we promise, and what is usual. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Answer } from '../api.ts'
import { type Text, useText } from '../text/use-text.tsx'
import { questionsQuery, type Question } from './queries.ts'

type ServiceTime = Answer<'/worker/questions'>['service_time']

/** undefined until it is loaded. */
export const useServiceTime = (): ServiceTime | undefined =>
  useInfiniteQuery(questionsQuery).data?.pages[0]?.service_time

/** The sentence below a new question. */
export function answerTime(
  time: ServiceTime | undefined,
  subject: Question['subject'] | null,
  text: Text,
): string {
  if (time === undefined) return text('ask.hintInbox')
  if (subject === 'safety')
    return text('ask.hintSafety', { promised: text.duration(time.promised_safety_hours * 60) })
  const promised = text.duration(time.promised_hours * 60)
  return time.usual_hours === null
    ? text('ask.hint', { promised })
    : text('ask.hintUsual', { promised, usual: text.duration(time.usual_hours * 60) })
}

/** The sentence on a question that waits; nothing if too few answers say what is usual. */
export function UsualTime() {
  const text = useText()
  const usual = useServiceTime()?.usual_hours ?? null
  return usual === null ? null : (
    <p>{text('question.usual', { usual: text.duration(usual * 60) })}</p>
  )
}
