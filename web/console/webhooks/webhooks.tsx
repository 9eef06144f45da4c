/** Webhook settings, deliveries and redelivery. */
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Send, Unplug, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Tag } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { api } from '../api.ts'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult, ActionError } from '../../shared/desk/query-states.tsx'
import { percent, plural, span } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { RequiresScope } from '../scopes.tsx'
import { meQuery } from '../queries.ts'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { SecretOnce } from '../secret-once.tsx'
import { Confirm } from '../tasks/confirm.tsx'
import { EmptyWithCall } from '../empty-with-call.tsx'
import { useNow } from '../../shared/use-now.ts'
import { useAction } from '../../shared/desk/use-action.ts'
import { DeliveryTimeline } from './delivery-timeline.tsx'
import { hasGoneWell, missedIn, deliveredShare } from './outcomes.ts'
import { deliveriesQuery, type Delivery, forgedQuery } from './queries.ts'

/** Number of attempts in the timeline, and of rows in the list. */
const POINTS = 100
const ROWS = 20
const OFTEN_MS = 15_000
const CHANGES = ['deliveries', 'me', 'events']
const DAY_MS = 86_400_000
const NONE: ReadonlySet<string> = new Set()

export function Webhooks() {
  const me = useQuery(meQuery)
  return (
    <Screen
      title="Webhooks"
      lead="We send signed events to your URL as they happen, and retry until your server accepts them."
    >
      <QueryResult query={me}>
        {({ agent }) => (
          <>
            <Address url={agent.webhook_url} />
            <RequiresScope scope="manage" isQuiet>
              <Sent hasAddress={agent.webhook_url !== null} />
            </RequiresScope>
          </>
        )}
      </QueryResult>
    </Screen>
  )
}

function Address({ url }: { url: string | null }) {
  const [address, setAddress] = useState(url ?? '')
  const [isRotating, setIsRotating] = useState(false)
  const save = useAction({
    run: (webhook_url: string | null) => api.patch('/agents/me', { body: { webhook_url } }),
    changes: CHANGES,
  })
  return (
    <Panel title="Webhook URL">
      <Form onSubmit={() => save.mutate(address.trim() === '' ? null : address.trim())}>
        <Field
          label="URL"
          type="url"
          placeholder="https://hooks.example.com/legwork"
          hint="A public https URL. Leave empty to send nothing. On your own machine, use legwork listen --forward-to."
          value={address}
          onChange={setAddress}
        />
        <ActionError error={save.error} />
        {save.isSuccess && <Banner tone="good">Saved.</Banner>}
        <RequiresScope scope="manage">
          <div className="flex flex-wrap gap-2">
            <Button type="submit" isPending={save.isPending}>
              Save
            </Button>
            <Button look="secondary" onPress={() => setIsRotating(true)}>
              New signing secret…
            </Button>
          </div>
        </RequiresScope>
      </Form>
      {isRotating && <RotateSecret onClose={() => setIsRotating(false)} />}
    </Panel>
  )
}

function RotateSecret({ onClose }: { onClose(): void }) {
  const action = useAction({
    run: (_: undefined, key) =>
      api.post('/webhooks/rotate-secret', { body: { overlap_hours: 24 }, key }),
    changes: [],
  })
  const secret = action.data?.webhook_secret
  return (
    <Confirm
      title="New signing secret"
      does={secret === undefined ? 'Create new secret' : 'I’ve copied it'}
      action={action}
      onConfirm={() => (secret === undefined ? action.mutate(undefined) : onClose())}
      onClose={onClose}
    >
      {secret === undefined ? (
        <p>
          For 24 hours, every delivery has two signatures, one with the old secret and one with the
          new. Update your receiver in that time.
        </p>
      ) : (
        <SecretOnce label="signing secret" secret={secret} />
      )}
    </Confirm>
  )
}

type Shown = 'all' | Delivery['outcome']
const SHOWN: { value: Shown; label: string }[] = [
  { value: 'all', label: 'All attempts' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed, will retry' },
  { value: 'given_up', label: 'Given up' },
]

function Sent({ hasAddress }: { hasAddress: boolean }) {
  const [shown, setShown] = useState<Shown>('all')
  const [chosen, setChosen] = useState<string>()
  const all = useQuery(deliveriesQuery({ limit: POINTS }))
  const { data: forged = NONE } = useQuery(forgedQuery)
  const some = useQuery(
    deliveriesQuery({ limit: ROWS, ...(shown === 'all' ? {} : { outcome: shown }) }),
  )
  return (
    <QueryResult query={all}>
      {({ deliveries, receivers }) => (
        <>
          <Health
            deliveries={deliveries}
            forged={forged}
            receivers={receivers}
            hasAddress={hasAddress}
          />
          {deliveries.length === 0 ? (
            <Panel>
              <EmptyWithCall
                icon={<Webhook aria-hidden />}
                title="No deliveries yet"
                call={{
                  method: 'PATCH',
                  path: '/agents/me',
                  body: { webhook_url: 'https://hooks.example.com/legwork' },
                }}
              >
                Set a webhook URL and send a test event. Without a public URL, poll GET /events
                instead.
              </EmptyWithCall>
            </Panel>
          ) : (
            <>
              <Panel title={`Last ${plural(deliveries.length, 'attempt')}`}>
                <DeliveryTimeline deliveries={deliveries} forged={forged} />
              </Panel>
              <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_20rem]">
                <Panel
                  title="Deliveries"
                  isFlush
                  actions={
                    <Select<Shown> label="Show" value={shown} options={SHOWN} onChange={setShown} />
                  }
                >
                  <QueryResult query={some} rows={1}>
                    {({ deliveries: rows }) => (
                      <Attempts rows={rows} forged={forged} chosen={chosen} onChoose={setChosen} />
                    )}
                  </QueryResult>
                </Panel>
                <OneDelivery eventId={chosen ?? deliveries[0]!.event_id} forged={forged} />
              </div>
            </>
          )}
        </>
      )}
    </QueryResult>
  )
}

function Health({
  deliveries,
  forged,
  receivers,
  hasAddress,
}: {
  deliveries: Delivery[]
  forged: ReadonlySet<string>
  receivers: { url: string; status: 'ok' | 'failing' | 'disabled'; waiting: number }[]
  hasAddress: boolean
}) {
  const ping = useAction({
    run: (body: { tampered?: true }, key) => api.post('/webhooks/ping', { body, key }),
    changes: CHANGES,
  })
  const replay = useAction({
    run: (_: undefined, key) =>
      api.post('/events/replay', {
        body: { from: new Date(Date.now() - DAY_MS).toISOString(), only: 'missed' },
        key,
      }),
    changes: CHANGES,
  })
  const share = deliveredShare(deliveries, forged)
  const missed = missedIn(deliveries, useNow(OFTEN_MS))
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="flex flex-wrap items-center gap-2">
          {receivers.map(({ url, status, waiting }) => (
            <span key={url} className="inline-flex min-w-0 flex-wrap items-center gap-2">
              <Tag
                tone={status === 'ok' ? 'good' : 'bad'}
                icon={
                  status === 'ok' ? (
                    <CircleCheck size={14} aria-hidden />
                  ) : (
                    <Unplug size={14} aria-hidden />
                  )
                }
              >
                {status === 'ok' ? 'Healthy' : status === 'failing' ? 'Failing' : 'Disabled'}
                {share !== undefined && ` · ${percent(share)} accepted`}
              </Tag>
              <code className="min-w-0 font-mono text-sm break-all">{url}</code>
              {waiting > 0 && (
                <span className="text-muted">{plural(waiting, 'undelivered event')}</span>
              )}
            </span>
          ))}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            look="secondary"
            isDisabled={!hasAddress}
            isPending={ping.isPending}
            onPress={() => ping.mutate({})}
          >
            <Send size={16} aria-hidden />
            Send test event
          </Button>
          <Button
            look="secondary"
            isDisabled={!hasAddress}
            isPending={ping.isPending}
            onPress={() => ping.mutate({ tampered: true })}
          >
            Send with a wrong signature
          </Button>
          <Button
            look="secondary"
            isDisabled={!hasAddress}
            isPending={replay.isPending}
            onPress={() => replay.mutate(undefined)}
          >
            Replay missed ({missed === 0 ? '24 h' : missed})
          </Button>
        </div>
      </div>
      {ping.data !== undefined && (
        <Banner tone="info">
          {ping.variables?.tampered
            ? 'We’re sending a test event with a wrong signature. Your receiver should respond with 4xx.'
            : 'We’re sending a test event. It appears below in a few seconds.'}
        </Banner>
      )}
      {replay.data !== undefined && (
        <Banner tone="info">
          Replaying {plural(replay.data.replayed, 'event')}.
          {replay.data.has_more ? ' There are more. Replay again to send them.' : ''}
        </Banner>
      )}
      <ActionError error={ping.error ?? replay.error} />
    </div>
  )
}

function Attempts({
  rows,
  forged,
  chosen,
  onChoose,
}: {
  rows: Delivery[]
  forged: ReadonlySet<string>
  chosen: string | undefined
  onChoose(eventId: string): void
}) {
  if (rows.length === 0) return <p className="px-4 pb-4 text-muted">No matching deliveries.</p>
  return (
    <Table
      label="Delivery attempts"
      rows={rows}
      keyOf={({ id }) => id}
      isCurrent={({ event_id }) => event_id === chosen}
      columns={[
        {
          id: 'event',
          label: 'Event',
          cell: ({ type, event_id }) => (
            <button
              type="button"
              onClick={() => onChoose(event_id)}
              className="min-h-7 text-start font-mono text-sm text-brand hover:underline"
            >
              {type}
            </button>
          ),
        },
        {
          id: 'task',
          label: 'Task',
          cell: ({ task_id }) =>
            task_id === null ? '–' : <Id id={task_id} href={`/tasks/${task_id}`} />,
        },
        {
          id: 'answer',
          label: 'Response',
          cell: (one) => <Outcome delivery={one} forged={forged} />,
        },
        { id: 'try', label: 'Attempt', isNumber: true, cell: ({ attempt }) => attempt },
        {
          id: 'when',
          label: 'Time',
          isNumber: true,
          cell: ({ created_at }) => <Ago at={created_at} />,
        },
      ]}
    />
  )
}

function Outcome({ delivery, forged }: { delivery: Delivery; forged: ReadonlySet<string> }) {
  const { event_id, outcome, status, error, duration_ms } = delivery
  const isWell = hasGoneWell(delivery, forged)
  return (
    <Tag
      tone={isWell ? 'good' : 'bad'}
      icon={isWell ? <CircleCheck size={14} aria-hidden /> : <CircleX size={14} aria-hidden />}
    >
      {status ?? error ?? 'No response'}
      {!forged.has(event_id)
        ? ` in ${took(duration_ms)}`
        : isWell
          ? ' · rejected, as it should be'
          : outcome === 'delivered'
            ? ' · accepted, so it doesn’t check signatures'
            : ' · neither accepted nor rejected'}
    </Tag>
  )
}

const took = (ms: number) => (ms < 1000 ? `${ms} ms` : span(ms / 1000))

/** All attempts to deliver one event, and a button to redeliver it. */
function OneDelivery({ eventId, forged }: { eventId: string; forged: ReadonlySet<string> }) {
  const attempts = useQuery(deliveriesQuery({ event_id: eventId }))
  const again = useAction({
    run: (id: string, key) => api.post('/events/{id}/redeliver', { params: { id }, key }),
    changes: CHANGES,
  })
  return (
    <Panel title="Event">
      <Id id={eventId} href={`/events?id=${eventId}`} />
      <QueryResult query={attempts} rows={1}>
        {({ deliveries }) => (
          <ol className="flex flex-col gap-3">
            {deliveries.toReversed().map((one) => (
              <li
                key={one.id}
                className="flex flex-col items-start gap-1 border-s-2 border-border ps-3"
              >
                <span>
                  #{one.attempt} · <Ago at={one.created_at} />
                </span>
                <Outcome delivery={one} forged={forged} />
                {one.next_try_at !== null && (
                  <span className="text-sm text-muted">
                    next attempt <Ago at={one.next_try_at} />
                  </span>
                )}
                {one.answer !== null && one.answer !== '' && (
                  <span className="text-sm break-all text-muted">{one.answer}</span>
                )}
              </li>
            ))}
          </ol>
        )}
      </QueryResult>
      <ActionError error={again.error} />
      {again.isSuccess && <Banner tone="good">Sending it again.</Banner>}
      <div>
        <Button look="secondary" isPending={again.isPending} onPress={() => again.mutate(eventId)}>
          Resend
        </Button>
      </div>
    </Panel>
  )
}
