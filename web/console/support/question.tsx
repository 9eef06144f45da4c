/** A question as a conversation. All texts are shown as plain text. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Hourglass, MessageCircleReply } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { minute } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { ActionError, QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { api, type Body } from '../api.ts'
import { CanAsk, ContactLink } from './can-ask.tsx'
import { EmergencyBanner } from './emergency-banner.tsx'
import { PhotoPicker, PhotosOf } from './photos.tsx'
import { type Question as Shown, questionQuery, questionsQuery } from './queries.ts'
import { QuestionStatus } from './status-tag.tsx'
import { answerTime, SUBJECTS, TEXT } from './words.ts'

export function Question() {
  return (
    <Screen title="Your question" back={{ href: '/questions', label: 'Ask a person' }}>
      <CanAsk>
        <Loaded />
      </CanAsk>
    </Screen>
  )
}

function Loaded() {
  const { id } = useParams<{ id: string }>()
  const query = useQuery(questionQuery(id))
  return (
    <QueryResult query={query}>
      {({ question }) => (
        <>
          <About question={question} />
          <State question={question} />
          {question.subject === 'safety' && question.status === 'open' && <EmergencyBanner />}
          <Panel title="Conversation">
            <Messages messages={question.messages} />
          </Panel>
          {question.can_reply && <Reply question={question} />}
          <End question={question} />
        </>
      )}
    </QueryResult>
  )
}

function About({ question: { id, subject, status, created_at, task_id, task_title } }: OfQuestion) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
      <QuestionStatus status={status} />
      <span>{SUBJECTS[subject]}</span>
      {task_id !== null && (
        <Link
          href={`/tasks/${task_id}`}
          className="inline-flex min-h-7 items-center text-brand hover:underline"
          dir="auto"
        >
          {task_title}
        </Link>
      )}
      <span>
        asked <Ago at={created_at} />
      </span>
      <Id id={id} />
    </div>
  )
}

interface OfQuestion {
  question: Shown
}

function State({ question: { subject, status, due_at, closes_at } }: OfQuestion) {
  const time = useInfiniteQuery(questionsQuery).data?.pages[0]?.service_time
  if (status === 'open' && due_at !== null)
    return (
      <Banner
        icon={<Hourglass size={18} aria-hidden />}
        title={
          Date.parse(due_at) <= Date.now()
            ? 'We’re late. We’re sorry'
            : `We’ll answer by ${minute(due_at)}`
        }
      >
        {time !== undefined && `${answerTime(time, subject)} `}
        You’ll get an email if your address is confirmed.
      </Banner>
    )
  if (status === 'answered' && closes_at !== null)
    return (
      <Banner tone="good" icon={<MessageCircleReply size={18} aria-hidden />} title="We answered">
        Is something unclear? You can write again until {minute(closes_at)}.
      </Banner>
    )
  return (
    <Banner tone="plain">This question is closed. If you need more help, ask a new one.</Banner>
  )
}

const LOOKS = {
  agent: 'ms-6 bg-brand-soft text-on-brand-soft',
  operator: 'me-6 bg-raised',
}

function Messages({ messages }: Pick<Shown, 'messages'>) {
  return (
    <ol className="flex flex-col gap-3">
      {messages.map(({ number, author, text, at, photos }) => (
        <li
          key={number}
          className={`flex max-w-[75ch] flex-col gap-2 rounded-field p-3 ${LOOKS[author]}`}
        >
          <span className="text-sm">
            <span className="font-semibold">{author === 'agent' ? 'You' : 'Legwork'}</span> ·{' '}
            <Ago at={at} />
          </span>
          <p className="wrap-anywhere whitespace-pre-wrap" dir="auto">
            {text}
          </p>
          <PhotosOf photos={photos} />
        </li>
      ))}
    </ol>
  )
}

function Reply({ question: { id, status } }: OfQuestion) {
  const [text, setText] = useState('')
  const [photos, setPhotos] = useState<string[]>([])
  const send = useAction({
    run: (body: Body<'/agents/questions/{id}/replies'>, key) =>
      api.post('/agents/questions/{id}/replies', { params: { id }, body, key }),
    changes: ['questions'],
    onDone() {
      setText('')
      setPhotos([])
    },
  })
  const words = text.trim()
  return (
    <Panel>
      <Form
        onSubmit={() => send.mutate({ text: words, ...(photos.length === 0 ? {} : { photos }) })}
      >
        <Field
          label={status === 'open' ? 'Add something' : 'Write again'}
          rows={4}
          maxLength={TEXT.max}
          value={text}
          onChange={setText}
        />
        <PhotoPicker photos={photos} onChange={setPhotos} />
        <ActionError error={send.error} />
        <div>
          <Button type="submit" isPending={send.isPending} isDisabled={words === ''}>
            Send
          </Button>
        </div>
      </Form>
    </Panel>
  )
}

function End({ question: { id, status } }: OfQuestion) {
  const close = useAction({
    run: (_: undefined, key) => api.post('/agents/questions/{id}/close', { params: { id }, key }),
    changes: ['questions'],
  })
  if (status === 'closed')
    return (
      <div className="flex flex-col items-start gap-2">
        <ButtonLink href="/questions/new">Ask a new question</ButtonLink>
        <ContactLink />
      </div>
    )
  return (
    <>
      <ActionError error={close.error} />
      <div>
        <Button
          look="secondary"
          isPending={close.isPending}
          onPress={() => close.mutate(undefined)}
        >
          {status === 'answered' ? 'That answers it' : 'I don’t need an answer anymore'}
        </Button>
      </div>
    </>
  )
}
