import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellRing, CircleCheck, Mail, Share, Smartphone } from 'lucide-react'
import { ActionError, QueryPlaceholder } from '../query-states.tsx'
import { type Answer, api } from '../api.ts'
import { beginPush, endPush, PushRefused, pushState, subscriptionId } from '../phone/push.ts'
import { problemOf } from '../problems.ts'
import { ownTimeZone, profileQuery } from '../queries.ts'
import { type Text, useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { INPUT } from '../../shared/ui/field.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { Toggle } from '../../shared/ui/toggle.tsx'

/** In order of importance to workers. */
const KINDS = [
  'paid',
  'new_task',
  'half_time',
  'check_in',
  'revision_requested',
  'disputed',
  'dispute_held',
  'decided',
  'level_lowered',
  'cancelled',
  'payout_paid',
  'payout_failed',
  'question_answered',
] as const

type Wishes = NonNullable<Answer<'/worker/profile'>['worker']['preferences']['notify']>
const PER_DAY = { default: 3, choices: [0, 1, 2, 3, 5, 10, 20] }
const NIGHT = { from: '22:00', to: '07:00' }

export function Notify() {
  const text = useText()
  const query = useQuery(profileQuery)
  return (
    <Page title={text('notify.title')} back="/me" backLabel={text('me.title')}>
      <ThisPhone />
      {query.data ? (
        <Switches wishes={query.data.worker.preferences.notify ?? {}} />
      ) : (
        <QueryPlaceholder query={query} rows={2} />
      )}
      <Banner tone="plain" icon={<Mail size={20} aria-hidden />}>
        {text('notify.mail')}
      </Banner>
    </Page>
  )
}

/** Push is set per device; the kinds of notices are set per person. */
function ThisPhone() {
  const text = useText()
  const client = useQueryClient()
  const push = useQuery({
    queryKey: ['push'],
    async queryFn({ signal }) {
      const answer = await api.get('/worker/push', { signal })
      const state = await pushState(answer.subscriptions)
      return { ...answer, state }
    },
  })
  const turn = useMutation({
    mutationFn: (isOn: boolean) =>
      isOn ? beginPush(push.data!.public_key!, deviceLabel(text)) : endPush(),
    onSettled: () => client.invalidateQueries({ queryKey: ['push'] }),
  })
  const test = useMutation({
    mutationFn: () => api.post('/worker/push/{id}/test', { params: { id: subscriptionId()! } }),
  })

  if (push.error || push.data === undefined) return <QueryPlaceholder query={push} rows={1} />
  const { state, public_key } = push.data
  if (public_key === null) return <Banner tone="info">{text('notify.noPush')}</Banner>
  if (state === 'needs_install') return <HowToInstall />
  if (state === 'unsupported' || state === 'denied')
    return (
      <Banner tone="warn" icon={<BellRing size={20} aria-hidden />}>
        {text(`notify.${state}`)}
      </Banner>
    )
  return (
    <Card>
      <Toggle
        isOn={state === 'on'}
        isDisabled={turn.isPending}
        onChange={(isOn) => {
          test.reset()
          turn.mutate(isOn)
        }}
        hint={text(state === 'on' ? 'notify.isOn' : 'notify.isOff')}
      >
        <span className="inline-flex items-center gap-2 font-semibold">
          <Smartphone size={20} aria-hidden />
          {text('notify.thisPhone')}
        </span>
      </Toggle>
      {turn.error && (
        <Banner tone="bad" isAlert>
          {wordsFor(turn.error, text)}
        </Banner>
      )}
      {state === 'on' && (
        <Button look="secondary" isPending={test.isPending} onPress={() => test.mutate()}>
          {text('notify.test')}
        </Button>
      )}
      {test.isSuccess && (
        <Banner tone="good" icon={<CircleCheck size={20} aria-hidden />}>
          {text('notify.tested')}
        </Banner>
      )}
      <ActionError error={test.error} />
    </Card>
  )
}

function HowToInstall() {
  const text = useText()
  return (
    <Banner tone="info" icon={<Share size={20} aria-hidden />} title={text('notify.installTitle')}>
      {text('notify.installBody')}
    </Banner>
  )
}

function wordsFor(error: unknown, text: Text): string {
  if (error instanceof PushRefused)
    return text(error.state === 'denied' ? 'notify.denied' : 'notify.notAllowed')
  // The browser's own push service may be unreachable even if our server is not.
  if (error instanceof DOMException) return text('notify.noService')
  return problemOf(error, text)
}

/** A device name that the person recognizes in a list, taken from the user agent. */
function deviceLabel(text: Text): string {
  const known = ['iPhone', 'iPad', 'Android', 'Macintosh', 'Windows', 'CrOS', 'Linux']
  return known.find((name) => navigator.userAgent.includes(name)) ?? text('notify.device')
}

function Switches({ wishes }: { wishes: Wishes }) {
  const text = useText()
  const client = useQueryClient()
  // Saves run one after another, and each sends the latest complete settings, so that quick changes aren't lost.
  const save = useMutation({
    scope: { id: 'notify' },
    mutationFn() {
      const { notify = {} } = client.getQueryData(profileQuery.queryKey)!.worker.preferences
      return api.put('/worker/profile', { body: { preferences: { notify } } })
    },
    // On failure, revert to the server's settings.
    onError: () => client.invalidateQueries({ queryKey: profileQuery.queryKey }),
  })
  const change = (part: Partial<Wishes>) => {
    client.setQueryData(profileQuery.queryKey, (known) => known && withWishes(known, part))
    save.mutate()
  }
  return (
    <>
      <ActionError error={save.error} />
      <Card>
        <h2 className="text-title font-bold">{text('notify.what')}</h2>
        <div className="flex flex-col divide-y divide-border">
          {KINDS.map((kind) => (
            <Toggle
              key={kind}
              isOn={wishes[kind] !== false}
              onChange={(isOn) => change({ [kind]: isOn })}
              hint={text(`notify.${kind}.hint`)}
            >
              {text(`notify.${kind}`)}
            </Toggle>
          ))}
        </div>
      </Card>
      {wishes.new_task !== false && (
        <Card>
          <PerDay
            value={wishes.new_tasks_per_day ?? PER_DAY.default}
            onChange={(new_tasks_per_day) => change({ new_tasks_per_day })}
          />
        </Card>
      )}
      <Card>
        <QuietHours quiet={wishes.quiet ?? null} onChange={(quiet) => change({ quiet })} />
      </Card>
    </>
  )
}

type Known = Answer<'/worker/profile'>

/** Optimistic update: the switch moves before it is saved. */
function withWishes({ worker }: Known, part: Partial<Wishes>): Known {
  const { preferences } = worker
  const notify = { ...preferences.notify, ...part }
  return { worker: { ...worker, preferences: { ...preferences, notify } } }
}

function PerDay({ value, onChange }: { value: number; onChange(count: number): void }) {
  const text = useText()
  const choices = [...new Set([...PER_DAY.choices, value])].sort((a, b) => a - b)
  return (
    <Select
      label={text('notify.perDay')}
      value={String(value)}
      options={choices.map((count) => ({ value: String(count), label: text.number(count) }))}
      onChange={(count) => onChange(Number(count))}
    />
  )
}

type Quiet = NonNullable<Wishes['quiet']>

function QuietHours({
  quiet,
  onChange,
}: {
  quiet: Quiet | null
  onChange(quiet: Quiet | null): void
}) {
  const text = useText()
  const tz = ownTimeZone()
  return (
    <>
      <Toggle
        isOn={quiet !== null}
        onChange={(isOn) => onChange(isOn ? { ...NIGHT, tz } : null)}
        hint={text('notify.quietHint')}
      >
        {text('notify.quiet')}
      </Toggle>
      {quiet && (
        <div className="flex flex-wrap gap-3">
          {(['from', 'to'] as const).map((end) => (
            <label key={end} className="flex min-w-0 flex-1 flex-col gap-1 text-sm font-semibold">
              {text(`notify.${end}`)}
              <input
                type="time"
                className={`${INPUT} font-normal`}
                value={quiet[end]}
                onChange={({ target: { value } }) => {
                  // The input is empty while it is being edited.
                  if (value !== '') onChange({ ...quiet, [end]: value.slice(0, 5), tz })
                }}
              />
            </label>
          ))}
        </div>
      )}
    </>
  )
}
