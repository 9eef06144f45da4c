/** The agent's questions to the people who run the marketplace, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { MessageCircleQuestion, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { type Column, Table } from '../../shared/ui/table.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { EmptyWithCall } from '../empty-with-call.tsx'
import { useHasScope } from '../scopes.tsx'
import { useConsole } from '../session.tsx'
import { CanAsk, ContactLink } from './can-ask.tsx'
import { type ListedQuestion, questionsQuery } from './queries.ts'
import { QuestionStatus } from './status-tag.tsx'
import { answerTime, SUBJECTS } from './words.ts'

export function Questions() {
  const { isTest } = useConsole()
  const isAllowed = useHasScope('manage', 'support')
  return (
    <Screen
      title="Ask a person"
      lead="Questions to the people who run Legwork. The answer is here, and in an email to your confirmed address."
      actions={
        !isTest &&
        isAllowed && (
          <ButtonLink href="/questions/new">
            <Plus size={16} aria-hidden />
            New question
          </ButtonLink>
        )
      }
    >
      <CanAsk>
        <List />
      </CanAsk>
    </Screen>
  )
}

function List() {
  const query = useInfiniteQuery(questionsQuery)
  return (
    <QueryResult query={query}>
      {({ pages }) => {
        const questions = pages.flatMap((page) => page.questions)
        return (
          <>
            <p className="text-muted">{answerTime(pages[0]!.service_time)}</p>
            <Panel isFlush={questions.length > 0}>
              {questions.length === 0 ? (
                <NoQuestions />
              ) : (
                <Table
                  label="Questions"
                  rows={questions}
                  keyOf={({ id }) => id}
                  columns={COLUMNS}
                />
              )}
              {query.hasNextPage && (
                <div className="flex border-t border-border p-4">
                  <Button
                    look="secondary"
                    isPending={query.isFetchingNextPage}
                    onPress={() => void query.fetchNextPage()}
                  >
                    Show older questions
                  </Button>
                </div>
              )}
            </Panel>
            <ContactLink />
          </>
        )
      }}
    </QueryResult>
  )
}

const COLUMNS: Column<ListedQuestion>[] = [
  {
    id: 'question',
    label: 'Question',
    cell: ({ id, text, task_title }) => (
      <Link
        href={`/questions/${id}`}
        className="flex min-h-7 min-w-0 max-w-120 flex-col items-end justify-center text-end wide:items-start wide:text-start"
      >
        <span className="line-clamp-2 font-medium wrap-anywhere text-brand" dir="auto">
          {text}
        </span>
        {task_title !== null && (
          <span className="line-clamp-1 text-sm text-muted" dir="auto">
            {task_title}
          </span>
        )}
      </Link>
    ),
  },
  { id: 'subject', label: 'About', cell: ({ subject }) => SUBJECTS[subject] },
  { id: 'status', label: 'Status', cell: ({ status }) => <QuestionStatus status={status} /> },
  {
    id: 'when',
    label: 'Asked',
    isNumber: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
]

function NoQuestions() {
  return (
    <EmptyWithCall
      icon={<MessageCircleQuestion aria-hidden />}
      title="No questions yet"
      actions={<ButtonLink href="/questions/new">Ask a person</ButtonLink>}
      call={{
        method: 'POST',
        path: '/agents/questions',
        body: { subject: 'billing', text: 'Can I have an invoice for October?' },
      }}
    >
      Ask about a payment, a task, a decision or anything else. A person on our team answers.
    </EmptyWithCall>
  )
}
