/** Test mode: the test clock, scripted workers, and playing a worker yourself. */
import { useQuery } from '@tanstack/react-query'
import { ExternalLink, FastForward } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { type Answer, api } from '../api.ts'
import { QueryResult, ActionError } from '../../shared/desk/query-states.tsx'
import { minute, plural, span } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { PERSONAS } from '../personas.ts'
import { clockQuery } from '../queries.ts'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { useConsole } from '../session.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { HAPPENINGS } from './happenings.ts'
import { IsLive } from './is-live.tsx'

/** Query keys to refetch, since advancing the clock may change anything. */
const ALL = ['clock', 'task', 'tasks', 'stats', 'me', 'wallet', 'events', 'deliveries', 'spend']

export function TestMode() {
  const { isTest } = useConsole()
  if (!isTest)
    return (
      <Screen title="Test mode">
        <IsLive />
      </Screen>
    )
  return (
    <Screen
      title="Test mode"
      lead="Play money with real rules and real webhooks. Nothing here affects live tasks, workers or money."
    >
      <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
        <Clock />
        <div className="flex min-w-0 flex-col gap-4">
          <PlayWorker />
          <Personas />
        </div>
      </div>
    </Screen>
  )
}

type Fired = Answer<'/test/clock/advance', 'post'>

function Clock() {
  const clock = useQuery(clockQuery)
  const [by, setBy] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const advance = useAction({
    run: (amount: string, key) => api.post('/test/clock/advance', { body: { by: amount }, key }),
    changes: ALL,
  })
  const isFine = /^\d+[smhd]$/.test(by.trim())
  const problem =
    isWrong && !isFine ? 'Enter a number followed by s, m, h or d, such as 90m' : undefined
  return (
    <Panel title="Test clock">
      <QueryResult query={clock} rows={1}>
        {({ moved_s, next }) => (
          <>
            <p className="text-lg font-semibold">
              {moved_s === 0 ? 'Not advanced yet' : `Advanced by ${span(moved_s)}`}
            </p>
            <p className="text-muted">
              Advance the clock, and everything due in that time happens: workers accept tasks and
              send proof, proofs are approved automatically, deadlines pass and webhooks are
              retried.
            </p>
            <div className="flex flex-wrap gap-2">
              {['1h', '24h'].map((amount) => (
                <Button
                  key={amount}
                  look="secondary"
                  isPending={advance.isPending}
                  onPress={() => advance.mutate(amount)}
                >
                  <FastForward size={16} aria-hidden />+{amount === '1h' ? '1 h' : '24 h'}
                </Button>
              ))}
            </div>
            <Form
              problems={{ problem }}
              onSubmit={() => {
                setIsWrong(!isFine)
                if (isFine) advance.mutate(by.trim())
              }}
            >
              <div className="flex flex-wrap items-start gap-2">
                <div className="min-w-0 flex-1 basis-40">
                  <Field
                    label="Advance by"
                    placeholder="90m"
                    value={by}
                    onChange={setBy}
                    problem={problem}
                  />
                </div>
                <div className="pt-5">
                  <Button type="submit" look="secondary" isPending={advance.isPending}>
                    Advance
                  </Button>
                </div>
              </div>
            </Form>
            <ActionError error={advance.error} />
            {advance.data !== undefined && <WhatFired answer={advance.data} />}
            <h3 className="font-semibold">Next events</h3>
            {next.length === 0 ? (
              <p className="text-muted">Nothing is due. No task is active.</p>
            ) : (
              <ul className="flex flex-col gap-1">
                {next.map(({ in_s, what, task_id }) => (
                  <li
                    key={`${what}-${task_id}-${in_s}`}
                    className="flex flex-wrap items-center justify-between gap-x-3"
                  >
                    <span>
                      <What what={what} />{' '}
                      {task_id !== null && <Id id={task_id} href={`/tasks/${task_id}`} />}
                    </span>
                    <span className="text-muted">in {span(in_s)}</span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </QueryResult>
    </Panel>
  )
}

function What({ what }: { what: string }) {
  const words = HAPPENINGS[what]
  return (
    <span>
      {words} <code className="font-mono text-sm text-muted">{what}</code>
    </span>
  )
}

function WhatFired({ answer: { moved_s, fired, is_done } }: { answer: Fired }) {
  return (
    <div className="flex flex-col gap-2" role="status">
      <Banner tone={is_done ? 'good' : 'warn'}>
        Advanced by {span(moved_s)}. {plural(fired.length, 'event')} happened.
        {!is_done && ' More is due. Advance again.'}
      </Banner>
      {fired.length > 0 && (
        <div className="-mx-4">
          <Table
            label="What happened"
            rows={fired.map((one, at) => ({ ...one, at }))}
            keyOf={({ at }) => String(at)}
            columns={[
              {
                id: 'what',
                label: 'Event',
                cell: ({ what }) => <What what={what} />,
              },
              {
                id: 'task',
                label: 'Task',
                cell: ({ task_id }) =>
                  task_id === null ? '–' : <Id id={task_id} href={`/tasks/${task_id}`} />,
              },
              { id: 'at', label: 'After', isNumber: true, cell: ({ at_s }) => span(at_s) },
            ]}
          />
        </div>
      )}
    </div>
  )
}

function PlayWorker() {
  const make = useAction({
    run: (_: undefined, key) => api.post('/test/workers', { body: {}, key }),
    changes: [],
  })
  return (
    <Panel title="Act as a worker">
      <p className="text-muted">
        Post a task with the scripted worker <code className="font-mono">me</code>, then open the
        worker app and do it yourself: accept it, take a photo and send it.
      </p>
      {make.data === undefined ? (
        <div>
          <Button
            look="secondary"
            isPending={make.isPending}
            onPress={() => make.mutate(undefined)}
          >
            Create a test worker
          </Button>
        </div>
      ) : (
        <>
          <p>
            <bdi>{make.data.worker.name}</bdi> is ready until {minute(make.data.expires_at)}.
          </p>
          <a
            href={make.data.app_url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-control items-center justify-center gap-2 self-start rounded-field bg-brand px-4 font-semibold text-on-brand"
          >
            <ExternalLink size={16} aria-hidden />
            Open the app as this worker
          </a>
        </>
      )}
      <ActionError error={make.error} />
    </Panel>
  )
}

function Personas() {
  return (
    <Panel title="Scripted workers">
      <p className="text-muted">
        Set <code className="font-mono">context.sim</code> when you create a task. The default is{' '}
        <code className="font-mono">happy</code>.
      </p>
      <dl className="flex flex-col gap-2">
        {PERSONAS.map(({ value, says }) => (
          <div key={value} className="flex flex-wrap gap-x-3">
            <dt className="w-24 font-mono text-sm">{value}</dt>
            <dd className="min-w-0 flex-1 basis-48 text-muted">{says}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
