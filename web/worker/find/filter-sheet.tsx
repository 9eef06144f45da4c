import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { TypeIcon } from '../art/type-icon.tsx'
import { problemOf } from '../problems.ts'
import { profileQuery } from '../queries.ts'
import { moneyLocaleOf } from '../text/figures.ts'
import { useText } from '../text/use-text.tsx'
import { Amount, SlidingAmount } from '../../shared/ui/amount.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { BigChoice, Chips, Segmented } from '../../shared/ui/choice.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { Toggle } from '../../shared/ui/toggle.tsx'
import { alertQuery, dropAlert, keepAlert } from './alert.ts'
import { usePosition } from './position.ts'
import { useFeed } from './use-feed.ts'
import { useWishes } from './use-wishes.ts'
import {
  alertOf,
  NO_WISHES,
  PROOFS,
  RADIUS_KM,
  RELIABLE_SHARE,
  type Sort,
  TYPES,
  type Wishes,
} from './wishes.ts'

const MONEY = { style: 'currency', currency: 'USD', maximumFractionDigits: 0 } as const
const KILOMETRES = { style: 'unit', unit: 'kilometer' } as const
const SORTS: Sort[] = ['match', 'nearest', 'pay', 'new']

/** More filters. They take effect only with “Show 6 tasks”. */
export function FilterSheet({ onClose }: { onClose(): void }) {
  const text = useText()
  const client = useQueryClient()
  const [wishes, change] = useWishes()
  const [draft, setDraft] = useState(wishes)
  const { position } = usePosition()
  const { cards, hasNextPage } = useFeed(draft)
  const { data: kept } = useQuery(alertQuery)
  const [wantsAlert, setWantsAlert] = useState<boolean>()
  const hasAlert = kept !== undefined && kept.alert !== null

  const apply = useMutation({
    async mutationFn() {
      if (wantsAlert === true) await keepAlert(client, alertOf(draft, position))
      if (wantsAlert === false && hasAlert) await dropAlert(client)
    },
    onSuccess() {
      change(draft)
      onClose()
    },
  })
  const edit = (changes: Partial<Wishes>) => setDraft({ ...draft, ...changes })
  const { place, isShort } = draft

  return (
    <Sheet
      title={text('find.filterTitle')}
      closeLabel={text('shell.close')}
      isOpen
      onClose={onClose}
      footer={
        <>
          {apply.isError && (
            <p role="alert" className="text-sm font-semibold text-danger">
              {problemOf(apply.error, text)}
            </p>
          )}
          <Button isWide isPending={apply.isPending} onPress={() => apply.mutate()}>
            {cards === undefined
              ? text('find.show')
              : text(hasNextPage ? 'find.showMany' : 'find.showCount', { count: cards.length })}
          </Button>
          <Button look="quiet" isWide onPress={() => setDraft({ ...NO_WISHES, place, isShort })}>
            {text('find.clear')}
          </Button>
        </>
      }
    >
      <Least draft={draft} edit={edit} />
      <Radius draft={draft} edit={edit} />
      <fieldset>
        <legend className="mb-2 text-sm font-semibold">{text('find.types')}</legend>
        <Chips
          options={TYPES.map((value) => ({
            value,
            label: (
              <>
                <TypeIcon type={value} size={18} />
                {text(`type.${value}`)}
              </>
            ),
          }))}
          chosen={draft.types}
          onChange={(types) => edit({ types })}
        />
      </fieldset>
      <fieldset>
        <legend className="mb-2 text-sm font-semibold">{text('find.proofs')}</legend>
        <Chips
          options={PROOFS.map((value) => ({ value, label: text(`proof.${value}`) }))}
          chosen={draft.proofs}
          onChange={(proofs) => edit({ proofs })}
        />
      </fieldset>
      <Toggle isOn={draft.isReliable} onChange={(isReliable) => edit({ isReliable })}>
        {text('find.reliable', { share: text.percent(RELIABLE_SHARE) })}
      </Toggle>
      <BigChoice
        label={text('find.sort')}
        value={draft.sort}
        columns={2}
        options={SORTS.map((value) => ({ value, label: text(`find.sort.${value}`) }))}
        onChange={(sort) => edit({ sort })}
      />
      <Toggle isOn={wantsAlert ?? hasAlert} onChange={setWantsAlert} hint={text('find.alertHint')}>
        {text('find.alert')}
      </Toggle>
    </Sheet>
  )
}

interface PartProps {
  draft: Wishes
  edit(changes: Partial<Wishes>): void
}

const LEAST_MAX = { hour: 200, task: 1000 }

function Least({ draft: { least }, edit }: PartProps) {
  const text = useText()
  return (
    <div className="flex flex-col gap-2">
      <I18nProvider locale={moneyLocaleOf(text.language)}>
        <Amount
          label={text('find.least')}
          value={least.cents / 100}
          min={0}
          max={LEAST_MAX[least.per]}
          format={MONEY}
          lessLabel={text('find.less')}
          moreLabel={text('find.more')}
          onChange={(dollars) => edit({ least: { ...least, cents: Math.round(dollars * 100) } })}
        />
      </I18nProvider>
      <Segmented
        label={text('find.leastPer')}
        value={least.per}
        options={[
          { value: 'hour', label: text('find.perHour') },
          { value: 'task', label: text('find.perTask') },
        ]}
        onChange={(per) => edit({ least: { ...least, per } })}
      />
    </div>
  )
}

function Radius({ draft, edit }: PartProps) {
  const text = useText()
  const { data: profile } = useQuery(profileQuery)
  const own = profile?.worker.location?.radius_km ?? RADIUS_KM.usual
  return (
    <SlidingAmount
      label={text('find.distance')}
      value={draft.radiusKm ?? own}
      min={RADIUS_KM.min}
      max={RADIUS_KM.max}
      sliderMax={RADIUS_KM.slider}
      format={KILOMETRES}
      lessLabel={text('find.less')}
      moreLabel={text('find.more')}
      onChange={(km) => edit({ radiusKm: km === own ? null : km })}
    />
  )
}
