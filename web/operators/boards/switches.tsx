/** Lists the switches: what each one stops, who turned it and why. Turning one is a decision. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { CircleCheck, OctagonX } from 'lucide-react'
import { useState } from 'react'
import { Ago } from '../../shared/desk/ago.tsx'
import { ActionError, QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { type Answer, api } from '../api.ts'
import { Effect } from '../decide/effect.tsx'
import { REASON_MIN } from '../decide/reason.tsx'
import { CHANGED_BY_DECISIONS } from '../decide/waiting-decision.tsx'
import { useDesk } from '../session.tsx'

type Switch = Answer<'/switches'>['switches'][number]

const OFTEN_MS = 15_000
const REASON_MAX = 500

const switchesQuery = queryOptions({
  queryKey: ['switches'],
  queryFn: ({ signal }) => api.get('/switches', { signal }),
  refetchInterval: OFTEN_MS,
})

const TITLES: Record<Switch['name'], string> = {
  free_tasks: 'Free tasks',
  payouts: 'Payouts',
  refunds: 'Refunds',
  withdrawals: 'Withdrawals of own funds',
  registrations: 'Registrations',
  tasks_verification: 'Verification tasks',
  tasks_voice_proxy: 'Voice proxy tasks',
  tasks_gut_check: 'Gut check tasks',
  tasks_field_mission: 'Field mission tasks',
  tasks_empathy_escalation: 'Empathy escalation tasks',
  tasks_vibe_reader: 'Vibe reader tasks',
  tasks_custom: 'Custom tasks',
  read_only: 'Read-only mode',
}

const GROUPS: { title: string; has(name: string): boolean }[] = [
  {
    title: 'Money',
    has: (name) => ['free_tasks', 'payouts', 'refunds', 'withdrawals'].includes(name),
  },
  { title: 'Everything', has: (name) => ['registrations', 'read_only'].includes(name) },
  { title: 'New tasks by type', has: (name) => name.startsWith('tasks_') },
]

export function Switches() {
  const switches = useQuery(switchesQuery)
  const [open, setOpen] = useState<Switch>()
  return (
    <Screen
      title="Switches"
      lead="A turned switch applies in every process within two seconds. Read what it stops before you turn it."
    >
      <QueryResult query={switches}>
        {({ switches: all }) => (
          <>
            <p className="font-medium" role="status">
              {stopped(all.filter(({ is_stopping }) => is_stopping).length)}
            </p>
            {GROUPS.map(({ title, has }) => (
              <Panel key={title} title={title}>
                <ul className="flex flex-col divide-y divide-border">
                  {all
                    .filter(({ name }) => has(name))
                    .map((one) => (
                      <Row key={one.name} one={one} onTurn={() => setOpen(one)} />
                    ))}
                </ul>
              </Panel>
            ))}
          </>
        )}
      </QueryResult>
      {open && <Turn one={open} onClose={() => setOpen(undefined)} />}
    </Screen>
  )
}

const stopped = (count: number) =>
  count === 0
    ? 'Nothing is stopped.'
    : `${count} ${count === 1 ? 'switch stops' : 'switches stop'} something.`

const stateOf = ({ name, is_on }: Switch) =>
  name === 'read_only' ? (is_on ? 'On' : 'Off') : is_on ? 'Running' : 'Stopped'

function Row({ one, onTurn }: { one: Switch; onTurn(): void }) {
  const { can } = useDesk()
  const { name, is_stopping, stops, set_by, changed_at, reason } = one
  const Icon = is_stopping ? OctagonX : CircleCheck
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <h3 className="font-semibold">{TITLES[name]}</h3>
          <Tag tone={is_stopping ? 'bad' : 'good'} icon={<Icon size={16} aria-hidden />}>
            {stateOf(one)}
          </Tag>
        </span>
        <span className="text-sm text-muted">
          {is_stopping ? 'Stops' : 'Would stop'} {stops}.
        </span>
        {is_stopping && set_by !== null && changed_at !== null && (
          <span className="text-sm">
            <Ago at={changed_at} /> by <bdi>{set_by.name}</bdi>
            {reason !== null && (
              <>
                : <q dir="auto">{reason}</q>
              </>
            )}
          </span>
        )}
      </div>
      {can('switch') && (
        <Button look={is_stopping ? 'primary' : 'secondary'} onPress={onTurn}>
          {verbOf(one)}
          <span className="sr-only"> {TITLES[name]}</span>
        </Button>
      )}
    </li>
  )
}

const verbOf = ({ name, is_stopping }: Switch) =>
  name === 'read_only' ? (is_stopping ? 'Turn off' : 'Turn on') : is_stopping ? 'Resume' : 'Stop'

/** Shows the effect first; the reason is in the audit log. */
function Turn({ one, onClose }: { one: Switch; onClose(): void }) {
  const [reason, setReason] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const decision = { kind: 'switch.turn', subject: one.name, input: { is_on: !one.is_on } }
  const preview = useQuery({
    queryKey: ['preview', decision],
    queryFn: ({ signal }) => api.post('/decisions/preview', { body: decision, signal }),
  })
  const turn = useAction({
    run: (words: string, key: string) =>
      api.post('/decisions', { body: { ...decision, reason: words, request_key: key } }),
    changes: ['switches', ...CHANGED_BY_DECISIONS],
    onDone: onClose,
  })
  const isShort = reason.trim().length < REASON_MIN
  return (
    <Sheet
      title={`${verbOf(one)}: ${TITLES[one.name]}`}
      closeLabel="Close"
      isOpen
      onClose={onClose}
    >
      <QueryResult query={preview} rows={1}>
        {({ effect, needs_second, over_cents }) => (
          <Effect effect={effect} needsSecond={needs_second} overCents={over_cents} />
        )}
      </QueryResult>
      <Form
        problems={{ isWrong: isWrong && isShort }}
        onSubmit={() => {
          setIsWrong(isShort)
          if (!isShort) turn.mutate(reason.trim())
        }}
      >
        <Field
          label="Reason"
          hint="Colleagues see it; it is kept in the audit log."
          rows={3}
          maxLength={REASON_MAX}
          value={reason}
          onChange={setReason}
          problem={isWrong && isShort ? 'Enter a reason' : undefined}
        />
        <ActionError error={turn.error} />
        <Button
          type="submit"
          look={one.is_stopping ? 'primary' : 'danger'}
          isPending={turn.isPending}
          isDisabled={preview.data === undefined}
        >
          {verbOf(one)}
        </Button>
      </Form>
    </Sheet>
  )
}
