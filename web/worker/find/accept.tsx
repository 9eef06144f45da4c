import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { api } from '../api.ts'
import { problemOf } from '../problems.ts'
import { localeOf } from '../text/figures.ts'
import { type Text, useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { AdultCheck } from '../adult-check.tsx'
import { useSession } from '../session.tsx'
import { skillIn } from '../skills.ts'
import { lastCards, type OpenTask } from './queries.ts'
import { useWishes } from './use-wishes.ts'
import { type Card, chosenOf } from './wishes.ts'

/** The footer of a task: accept it, or why that isn't possible and what to do instead. */
export function Accept({ task }: { task: Card | OpenTask }) {
  const text = useText()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  // One idempotency key for all attempts, so that a retry after a lost response accepts only once.
  const [key] = useState(() => crypto.randomUUID())
  const adult = useAdult()
  const accept = useMutation({
    async mutationFn() {
      await adult.confirm()
      return api.post('/worker/tasks/{id}/accept', { params: { id: task.id }, key })
    },
    async onSuccess() {
      navigate(`/active/${task.id}`)
      await client.invalidateQueries()
    },
    onError: () => client.invalidateQueries({ queryKey: ['feed', 'list'] }),
  })
  const isTaken =
    accept.error instanceof Refusal && ['no_slot', 'task_not_found'].includes(accept.error.code)

  if (task.locked !== undefined) return <Locked level={task.locked.required_level} />
  const missing = missingIn(task, accept.error)
  if (missing !== undefined) return <Missing taskId={task.id} missing={missing} />
  return (
    <>
      {accept.isError && (
        <p role="alert" className="font-semibold text-danger">
          {refusalOf(accept.error, text)}
        </p>
      )}
      {!isTaken && adult.check}
      {isTaken ? (
        <Next than={task} />
      ) : (
        <Button
          isWide
          isPending={accept.isPending}
          onPress={() => {
            if (adult.isReady()) accept.mutate()
          }}
        >
          {'finish_until' in task
            ? text('find.acceptFor', { time: text.duration(minutesUntil(task.finish_until)) })
            : text('find.accept')}
        </Button>
      )}
      {!isTaken && <p className="text-center text-sm text-muted">{text('find.handBack')}</p>}
    </>
  )
}

/** Workers who joined without the app have not confirmed that they are adults: ask them once. */
function useAdult() {
  const text = useText()
  const { worker } = useSession()
  const [isChecked, setIsChecked] = useState(false)
  const [isMissing, setIsMissing] = useState(false)
  const isAsked = worker?.mode === 'live' && worker.adult_confirmed_at === null
  return {
    check: isAsked ? (
      <AdultCheck
        isChecked={isChecked}
        onChange={(checked) => {
          setIsChecked(checked)
          setIsMissing(false)
        }}
        problem={isMissing ? text('adult.missing') : undefined}
      />
    ) : null,
    isReady() {
      setIsMissing(isAsked && !isChecked)
      return !isAsked || isChecked
    },
    async confirm() {
      if (isAsked) await api.put('/worker/profile', { body: { adult: true } })
    },
  }
}

const minutesUntil = (at: string) => Math.max(0, (Date.parse(at) - Date.now()) / 60_000)

function refusalOf(error: unknown, text: Text): string {
  if (!(error instanceof Refusal)) return problemOf(error, text)
  if (error.code === 'level_too_low')
    return text('find.levelTooLow', { level: Number(error.extra.required_level) })
  if (error.code === 'retake_too_soon')
    return text('find.retakeTooSoon', { when: text.date(String(error.extra.retry_at)) })
  return problemOf(error, text)
}

/** Read from the task, or from the refusal if the list didn't include it. */
function missingIn(
  task: Card | OpenTask,
  error: unknown,
): NonNullable<Card['missing']> | undefined {
  if (task.missing !== undefined) return task.missing
  if (!(error instanceof Refusal) || error.code !== 'skill_missing') return undefined
  const { missing_skills, missing_languages } = error.extra
  return { skills: textsIn(missing_skills), languages: textsIn(missing_languages) }
}

const textsIn = (list: unknown) => (Array.isArray(list) ? list.map(String) : [])

/** Skills and languages that the profile lacks; a worker who has them adds them there and comes back. */
function Missing({ taskId, missing }: { taskId: string; missing: NonNullable<Card['missing']> }) {
  const text = useText()
  const locale = localeOf(text.language)
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const list = new Intl.ListFormat(locale).format([
    ...missing.skills.map((skill) => skillIn(text, skill)),
    ...missing.languages.map((tag) => names.of(tag) ?? tag),
  ])
  const query = new URLSearchParams({ task: taskId, languages: missing.languages.join() })
  return (
    <>
      <p role="status" className="text-center font-semibold">
        {text('find.missing', { list })}
      </p>
      <p className="text-center text-sm text-muted">{text('find.missingHint')}</p>
      <ButtonLink isWide href={`/me/profile?${query}`}>
        {text('find.toProfile')}
      </ButtonLink>
    </>
  )
}

function Locked({ level }: { level: number }) {
  const text = useText()
  return (
    <>
      <p className="flex items-center justify-center gap-2 font-semibold">
        <Lock size={18} aria-hidden />
        {text('find.levelTooLow', { level })}
      </p>
      <ButtonLink look="secondary" isWide href="/me/trust">
        {text('find.howToLevel')}
      </ButtonLink>
    </>
  )
}

/** Another worker was faster: offer the next best task. */
function Next({ than }: { than: Card }) {
  const text = useText()
  const client = useQueryClient()
  const [wishes] = useWishes()
  const others = chosenOf(lastCards(client)?.cards ?? [], wishes)
  const next = others.find(({ id, locked }) => id !== than.id && locked === undefined)
  if (next === undefined)
    return (
      <ButtonLink isWide href="/">
        {text('shell.toFind')}
      </ButtonLink>
    )
  return (
    <ButtonLink isWide href={`/task/${next.id}`}>
      <span className="line-clamp-2">
        {text('find.next', { money: text.money(next.you_earn_cents), title: next.title })}
      </span>
    </ButtonLink>
  )
}
