/** A question as a conversation. All texts are shown as plain text. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Hourglass, MessageCircleReply } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { api } from '../api.ts'
import { WHEN } from '../me/notice-words.ts'
import { problemOf } from '../problems.ts'
import { ActionError, QueryResult } from '../query-states.tsx'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { EmergencyBanner } from './emergency-banner.tsx'
import { PhotoPicker } from './photo-picker.tsx'
import { type Question as Shown, questionQuery, questionsQuery, TEXT } from './queries.ts'
import { UsualTime } from './service-time.tsx'
import { type MessageDraft, useMessageDraft } from './use-message-draft.ts'

export function Question() {
  const text = useText()
  const { id } = useParams<{ id: string }>()
  const query = useQuery(questionQuery(id))
  const subject = query.data?.question.subject
  return (
    <Page
      title={text(subject === undefined ? 'question.title' : `question.subject_${subject}`)}
      name={text('question.title')}
      back="/me/questions"
      backLabel={text('questions.title')}
    >
      <QueryResult query={query}>
        {({ question }) => (
          <>
            <Standing question={question} />
            {question.subject === 'safety' && question.status === 'open' && <EmergencyBanner />}
            {question.task_id !== null && (
              <Link
                href={`/active/${question.task_id}`}
                className="inline-flex min-h-target items-center self-start font-medium text-brand underline"
                dir="auto"
              >
                {question.task_title}
              </Link>
            )}
            <Messages messages={question.messages} />
            {question.can_reply && <Reply question={question} />}
            <Ending question={question} />
          </>
        )}
      </QueryResult>
    </Page>
  )
}

function Standing({ question: { subject, status, due_at, closes_at } }: { question: Shown }) {
  const text = useText()
  if (status === 'open') {
    const isLate = due_at !== null && Date.parse(due_at) <= Date.now()
    return (
      <Banner
        tone="info"
        icon={<Hourglass size={20} aria-hidden />}
        title={
          isLate ? text('question.late') : text('question.due', { when: text.date(due_at!, WHEN) })
        }
      >
        {!isLate && subject !== 'safety' && <UsualTime />}
        <p>{text('question.dueHint')}</p>
      </Banner>
    )
  }
  if (status === 'answered')
    return (
      <Banner
        tone="good"
        icon={<MessageCircleReply size={20} aria-hidden />}
        title={text('question.answered')}
      >
        {text('question.answeredHint', { when: text.date(closes_at!, WHEN) })}
      </Banner>
    )
  return (
    <Banner
      tone="plain"
      icon={<CircleCheck size={20} aria-hidden />}
      title={text('question.closed')}
    >
      {text('question.closedHint')}
    </Banner>
  )
}

const LOOKS = {
  worker: 'self-end rounded-ee-none bg-brand-soft text-on-brand-soft',
  operator: 'self-start rounded-es-none bg-surface shadow-card',
}

function Messages({ messages }: Pick<Shown, 'messages'>) {
  const text = useText()
  return (
    <ol className="flex flex-col gap-3">
      {messages.map(({ number, author, text: words, at, photos }) => (
        <li
          key={number}
          className={`flex max-w-[85%] min-w-40 flex-col gap-1 rounded-card px-4 py-3 ${LOOKS[author]}`}
        >
          <span className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
            <strong>{text(author === 'worker' ? 'question.you' : 'question.us')}</strong>
            <time dateTime={at}>{text.date(at, WHEN)}</time>
          </span>
          <p className="wrap-anywhere whitespace-pre-wrap" dir="auto">
            {words}
          </p>
          {photos.length > 0 && <Photos photos={photos} />}
        </li>
      ))}
    </ol>
  )
}

/** Each opens in full size. Their links expire, and the query fetches new ones before that. */
function Photos({ photos }: Pick<Shown['messages'][number], 'photos'>) {
  const text = useText()
  return (
    <ul className="grid grid-cols-3 gap-2 pt-1">
      {photos.map(({ url }, at) => (
        <li key={at}>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            aria-label={text('photos.photo', { number: at + 1 })}
            className="block overflow-hidden rounded-field"
          >
            <img src={url} alt="" className="aspect-square w-full bg-raised object-cover" />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Stores the server's response, and marks the list as stale. */
function useStore(id: string) {
  const client = useQueryClient()
  return (answer: { question: Shown }) => {
    client.setQueryData(questionQuery(id).queryKey, answer)
    void client.invalidateQueries({ queryKey: questionsQuery.queryKey })
  }
}

function Reply({ question }: { question: Shown }) {
  const draft = useMessageDraft(question.id)
  if (draft === undefined) return null
  return <LoadedReply question={question} draft={draft} />
}

function LoadedReply({
  question: { id, status },
  draft,
}: {
  question: Shown
  draft: MessageDraft
}) {
  const text = useText()
  const store = useStore(id)
  const words = draft.words.trim()
  const send = useMutation({
    async mutationFn() {
      const photos = await draft.photoUrls()
      return api.post('/worker/questions/{id}/replies', {
        params: { id },
        body: { text: words, ...(photos.length === 0 ? {} : { photos }) },
        key: draft.key,
      })
    },
    async onSuccess(answer) {
      await draft.clear()
      store(answer)
    },
  })
  const problem =
    send.error === null
      ? undefined
      : problemOf(send.error, text, {
          question_closed: 'question.closedHint',
          question_full: 'question.full',
        })
  return (
    <Form problems={{ problem }} onSubmit={() => send.mutate()}>
      <Field
        label={text(status === 'open' ? 'question.add' : 'question.again')}
        problem={problem}
        rows={3}
        maxLength={TEXT.max}
        value={draft.words}
        onChange={(typed) => {
          draft.write(typed)
          if (send.error) send.reset()
        }}
      />
      <PhotoPicker draft={draft} />
      <Button
        type="submit"
        look="secondary"
        isWide
        isDisabled={words === ''}
        isPending={send.isPending}
      >
        {text('question.send')}
      </Button>
    </Form>
  )
}

function Ending({ question: { id, status } }: { question: Shown }) {
  const text = useText()
  const store = useStore(id)
  const close = useMutation({
    mutationFn: () => api.post('/worker/questions/{id}/close', { params: { id } }),
    onSuccess: store,
  })
  if (status === 'closed')
    return <ButtonLink href="/me/questions/new">{text('question.new')}</ButtonLink>
  return (
    <>
      <ActionError error={close.error} />
      <Button
        look={status === 'answered' ? 'primary' : 'quiet'}
        isWide
        isPending={close.isPending}
        onPress={() => close.mutate()}
      >
        {text(status === 'answered' ? 'question.enough' : 'question.unneeded')}
      </Button>
    </>
  )
}
