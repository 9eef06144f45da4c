/** The worker's questions, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import { Link } from 'wouter'
import { NoMessagesArt } from '../art/no-messages.tsx'
import { LoadMore } from '../load-more.tsx'
import { QueryResult } from '../query-states.tsx'
import { useText } from '../text/use-text.tsx'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { type ListedQuestion, questionsQuery } from './queries.ts'
import { StatusTag } from './status-tag.tsx'

export function Questions() {
  const text = useText()
  const query = useInfiniteQuery(questionsQuery)
  return (
    <Page title={text('questions.title')} back="/me/help" backLabel={text('help.title')}>
      <QueryResult query={query}>
        {({ pages }) => {
          const shown = pages.flatMap((page) => page.questions)
          if (shown.length === 0) return <NoneYet />
          return (
            <>
              <ul className="flex flex-col gap-2">
                {shown.map((question) => (
                  <Row key={question.id} question={question} />
                ))}
              </ul>
              <ButtonLink look="secondary" href="/me/questions/new">
                <MessageCircleQuestion size={20} aria-hidden />
                {text('ask.title')}
              </ButtonLink>
            </>
          )
        }}
      </QueryResult>
      <LoadMore query={query} />
    </Page>
  )
}

function NoneYet() {
  const text = useText()
  return (
    <Empty
      picture={<NoMessagesArt />}
      title={text('questions.none')}
      actions={
        <>
          <ButtonLink href="/me/questions/new">{text('ask.title')}</ButtonLink>
          <ButtonLink look="secondary" href="/me/help">
            {text('questions.help')}
          </ButtonLink>
        </>
      }
    >
      {text('questions.noneWhy')}
    </Empty>
  )
}

function Row({ question }: { question: ListedQuestion }) {
  const text = useText()
  const { id, subject, status, text: words, task_title, created_at } = question
  return (
    <li>
      <Link
        href={`/me/questions/${id}`}
        className="flex flex-col gap-2 rounded-card bg-surface p-4 shadow-card"
      >
        <span className="flex flex-wrap items-center justify-between gap-2">
          <span className="font-semibold">{text(`question.subject_${subject}`)}</span>
          <StatusTag status={status} />
        </span>
        <span className="line-clamp-2" dir="auto">
          {words}
        </span>
        {task_title !== null && (
          <span className="line-clamp-1 text-sm text-muted" dir="auto">
            {task_title}
          </span>
        )}
        <time dateTime={created_at} className="text-sm text-muted">
          {text.ago(created_at)}
        </time>
      </Link>
    </li>
  )
}
