import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, VolumeX, X } from 'lucide-react'
import { useState } from 'react'
import { useSearch } from 'wouter'
import { ActionError, QueryPlaceholder } from '../query-states.tsx'
import { type Answer, api } from '../api.ts'
import { profileQuery } from '../queries.ts'
import { localeOf } from '../text/figures.ts'
import { type Text, useText } from '../text/use-text.tsx'
import { COMMISSION_SHARE } from '../../shared/commission.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Chip, Chips } from '../../shared/ui/choice.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { Toggle } from '../../shared/ui/toggle.tsx'
import { type TaskType, TYPES } from '../find/wishes.ts'
import { NOWHERE, PlaceChoice, placeToSend, type WorkPlace } from '../join/place.tsx'
import { isKnown, placeOf } from '../join/setup.tsx'
import { Skills } from '../join/skills.tsx'
import { centsOf, LANGUAGE_TAGS } from './wishes.ts'

type Worker = Answer<'/worker/profile'>['worker']

/** The profile that agents see, and task preferences. */
export function Profile() {
  const text = useText()
  const query = useQuery(profileQuery)
  if (query.data !== undefined) return <ProfileForm worker={query.data.worker} />
  return (
    <Page title={text('profile.title')} back="/me" backLabel={text('me.title')}>
      <QueryPlaceholder query={query} />
    </Page>
  )
}

interface Form {
  name: string
  skills: string[]
  languages: string[]
  place: WorkPlace
  types: TaskType[]
  leastPay: string
  isOnBoard: boolean
  muted: string[]
}

const formOf = (worker: Worker, text: Text): Form => {
  const { types = [], min_pay_cents, leaderboard, muted_agents = [] } = worker.preferences
  return {
    name: worker.name,
    skills: worker.skills,
    languages: worker.languages,
    place: placeOf(worker) ?? NOWHERE,
    types,
    leastPay: min_pay_cents ? text.number(min_pay_cents / 100, { useGrouping: false }) : '',
    isOnBoard: leaderboard !== false,
    muted: muted_agents,
  }
}

/** A null preference is removed. */
const bodyOf = (form: Form) => ({
  name: form.name.trim(),
  skills: form.skills,
  languages: form.languages,
  location: placeToSend(form.place),
  preferences: {
    types: form.types.length === 0 ? null : form.types,
    min_pay_cents: centsOf(form.leastPay) ?? null,
    leaderboard: form.isOnBoard ? null : false,
    muted_agents: form.muted.length === 0 ? null : form.muted,
  },
})

function ProfileForm({ worker }: { worker: Worker }) {
  const text = useText()
  const asked = new URLSearchParams(useSearch())
  const taskId = asked.get('task')
  const client = useQueryClient()
  const [form, setForm] = useState(() => formOf(worker, text))
  const save = useMutation({
    mutationFn: () => api.put('/worker/profile', { body: bodyOf(form) }),
    onSuccess(answer) {
      client.setQueryData(profileQuery.queryKey, answer)
      // The feed and the leaderboard may change, too.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'profile' })
    },
  })
  const change = (part: Partial<Form>) => {
    setForm((before) => ({ ...before, ...part }))
    save.reset()
  }
  const isNameless = form.name.trim() === ''
  const isNoAmount = centsOf(form.leastPay) === undefined
  const isLost = save.data !== undefined && !isKnown(save.data.worker)
  return (
    <Page
      title={text('profile.title')}
      back={taskId === null ? '/me' : `/task/${encodeURIComponent(taskId)}`}
      backLabel={text(taskId === null ? 'me.title' : 'find.backToTask')}
      footer={
        <SaveFooter
          isSaved={save.isSuccess && !isLost}
          error={save.error}
          isDisabled={isNameless || isNoAmount}
          isPending={save.isPending}
          onSave={() => save.mutate()}
        />
      }
    >
      <Card>
        <Field
          label={text('join.name')}
          hint={text('join.nameHint')}
          autoComplete="name"
          maxLength={100}
          value={form.name}
          onChange={(name) => change({ name })}
          problem={isNameless ? text('join.nameMissing') : undefined}
        />
      </Card>
      <Card>
        <h2 className="text-title font-bold">{text('setup.where')}</h2>
        <PlaceChoice
          value={form.place}
          onChange={(place) => change({ place })}
          problem={isLost ? text('place.unknown') : undefined}
        />
      </Card>
      <Card>
        <Skills
          label={text('setup.skills')}
          value={form.skills}
          onChange={(skills) => change({ skills })}
        />
      </Card>
      <Card>
        <Spoken
          value={form.languages}
          asked={tagsIn(asked.get('languages'))}
          onChange={(languages) => change({ languages })}
        />
      </Card>
      <Card>
        <Wanted value={form.types} onChange={(types) => change({ types })} />
        <Field
          label={text('profile.leastPay')}
          hint={text('profile.leastPayHint', { share: text.percent(COMMISSION_SHARE) })}
          inputMode="decimal"
          value={form.leastPay}
          onChange={(leastPay) => change({ leastPay })}
          problem={isNoAmount ? text('profile.noAmount') : undefined}
        />
      </Card>
      <Card>
        <Toggle
          isOn={form.isOnBoard}
          onChange={(isOnBoard) => change({ isOnBoard })}
          hint={text('profile.boardHint')}
        >
          {text('profile.board')}
        </Toggle>
      </Card>
      <Muted agents={form.muted} names={namesOf(worker)} onChange={(muted) => change({ muted })} />
    </Page>
  )
}

function SaveFooter({
  isSaved,
  error,
  isDisabled,
  isPending,
  onSave,
}: {
  isSaved: boolean
  error: Error | null
  isDisabled: boolean
  isPending: boolean
  onSave(): void
}) {
  const text = useText()
  return (
    <>
      {isSaved && (
        <Banner tone="good" icon={<CircleCheck size={20} aria-hidden />}>
          {text('shell.saved')}
        </Banner>
      )}
      <ActionError error={error} />
      <Button isWide isDisabled={isDisabled} isPending={isPending} onPress={onSave}>
        {text('shell.save')}
      </Button>
    </>
  )
}

const tagsIn = (list: string | null) =>
  (list ?? '').split(',').filter((tag) => /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/.test(tag))

function Spoken({
  value,
  asked,
  onChange,
}: {
  value: readonly string[]
  /** Languages that a task asks for, which may not be in the common list. */
  asked: readonly string[]
  onChange(languages: string[]): void
}) {
  const text = useText()
  const locale = localeOf(text.language)
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const others = [...new Set([...asked, ...LANGUAGE_TAGS])]
    .filter((tag) => !value.includes(tag))
    .map((tag) => ({ tag, name: names.of(tag) ?? tag }))
    .sort((a, b) => a.name.localeCompare(b.name, locale))
  return (
    <>
      <h2 className="text-title font-bold">{text('profile.languages')}</h2>
      {value.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {value.map((tag) => (
            <Chip
              key={tag}
              isOn
              label={text('setup.removeSkill', { skill: names.of(tag) ?? tag })}
              onChange={() => onChange(value.filter((one) => one !== tag))}
            >
              {names.of(tag)}
              <X size={16} aria-hidden />
            </Chip>
          ))}
        </div>
      )}
      <Select
        label={text('profile.addLanguage')}
        value=""
        options={[
          { value: '', label: text('profile.choose') },
          ...others.map(({ tag, name }) => ({ value: tag, label: name })),
        ]}
        onChange={(tag) => {
          if (tag !== '') onChange([...value, tag])
        }}
      />
    </>
  )
}

function Wanted({
  value,
  onChange,
}: {
  value: readonly TaskType[]
  onChange(types: TaskType[]): void
}) {
  const text = useText()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-title font-bold">{text('profile.types')}</legend>
      <p className="text-sm text-muted">{text('profile.typesHint')}</p>
      <Chips
        options={TYPES.map((type) => ({ value: type, label: text(`type.${type}`) }))}
        chosen={value}
        onChange={onChange}
      />
    </fieldset>
  )
}

/** The app stores names beside the ids when an agent is muted; the API knows only the ids. */
const namesOf = ({ preferences }: Worker) =>
  (preferences.muted_names ?? {}) as Record<string, string | undefined>

function Muted({
  agents,
  names,
  onChange,
}: {
  agents: readonly string[]
  names: Record<string, string | undefined>
  onChange(agents: string[]): void
}) {
  const text = useText()
  return (
    <Card>
      <h2 className="text-title font-bold">{text('profile.muted')}</h2>
      {agents.length === 0 && <p className="text-sm text-muted">{text('profile.mutedNone')}</p>}
      <ul className="flex flex-col">
        {agents.map((id) => (
          <li key={id} className="flex items-center gap-3">
            <VolumeX size={20} aria-hidden className="shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate" dir="auto">
              {names[id] ?? id}
            </span>
            <Button
              look="quiet"
              aria-label={text('profile.unmuteWho', { name: names[id] ?? id })}
              onPress={() => onChange(agents.filter((one) => one !== id))}
            >
              {text('profile.unmute')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
