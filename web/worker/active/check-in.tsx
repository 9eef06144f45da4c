/** Asks the server to check on the worker at a time, and answers it. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { HeartPulse } from 'lucide-react'
import { useState } from 'react'
import { type Answer, api } from '../api.ts'
import { problemOf } from '../problems.ts'
import { useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'

type State = NonNullable<Answer<'/worker/check-in'>['check_in']>

const MINUTES = ['15', '30', '60', '120', '240']
const MINUTE_MS = 60_000
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const

const checkInQuery = queryOptions({
  queryKey: ['check-in'],
  queryFn: ({ signal }) => api.get('/worker/check-in', { signal }),
  refetchInterval: ({ state }) => (state.data?.check_in ? MINUTE_MS : false),
})

export function CheckIn({ taskId }: { taskId: string }) {
  const text = useText()
  const { data } = useQuery(checkInQuery)
  const [isOpen, setIsOpen] = useState(false)
  if (data === undefined) return null
  if (data.check_in?.task_id === taskId) return <Running checkIn={data.check_in} />
  return (
    <>
      <Button look="quiet" onPress={() => setIsOpen(true)}>
        <HeartPulse size={20} aria-hidden />
        {text('active.checkIn.ask')}
      </Button>
      <Choose taskId={taskId} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}

function Running({ checkIn }: { checkIn: State }) {
  const text = useText()
  const client = useQueryClient()
  const answer = useMutation({
    mutationFn: () =>
      api.post('/worker/tasks/{id}/check-in/ok', { params: { id: checkIn.task_id } }),
    onSuccess: (shown) => client.setQueryData(checkInQuery.queryKey, shown),
  })
  const isAsked = checkIn.asked_at !== null
  return (
    <Banner
      tone={isAsked ? 'warn' : 'plain'}
      icon={<HeartPulse size={20} aria-hidden />}
      title={
        isAsked
          ? text('active.checkIn.asked')
          : text('active.checkIn.will', { when: text.date(checkIn.at, CLOCK) })
      }
    >
      {checkIn.missed_at !== null && <p>{text('active.checkIn.missed')}</p>}
      {answer.isError && <p role="alert">{problemOf(answer.error, text)}</p>}
      <div className="mt-2">
        <Button
          look={isAsked ? 'primary' : 'quiet'}
          isPending={answer.isPending}
          onPress={() => answer.mutate()}
        >
          {text(isAsked ? 'active.checkIn.ok' : 'active.checkIn.cancel')}
        </Button>
      </div>
    </Banner>
  )
}

function Choose({ taskId, isOpen, onClose }: { taskId: string; isOpen: boolean; onClose(): void }) {
  const text = useText()
  const client = useQueryClient()
  const [minutes, setMinutes] = useState<string>('60')
  const [contact, setContact] = useState('')
  const set = useMutation({
    mutationFn: () =>
      api.post('/worker/tasks/{id}/check-in', {
        params: { id: taskId },
        body: { at: timeIn(minutes).toISOString(), contact: contact.trim() || null },
      }),
    onSuccess(shown) {
      client.setQueryData(checkInQuery.queryKey, shown)
      onClose()
    },
  })
  return (
    <Sheet
      title={text('active.checkIn.ask')}
      closeLabel={text('shell.close')}
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          {set.isError && (
            <p role="alert" className="text-sm font-semibold text-danger">
              {problemOf(set.error, text)}
            </p>
          )}
          <Button isWide isPending={set.isPending} onPress={() => set.mutate()}>
            {text('active.checkIn.set')}
          </Button>
        </>
      }
    >
      <p>{text('active.checkIn.body')}</p>
      <Select
        label={text('active.checkIn.when')}
        value={minutes}
        onChange={setMinutes}
        options={MINUTES.map((value) => ({
          value,
          label: `${text.date(timeIn(value), CLOCK)} · ${text.duration(Number(value))}`,
        }))}
      />
      <Field
        label={text('active.checkIn.contact')}
        hint={text('active.checkIn.contactHint')}
        maxLength={200}
        value={contact}
        onChange={setContact}
      />
    </Sheet>
  )
}

const timeIn = (minutes: string) => new Date(Date.now() + Number(minutes) * MINUTE_MS)
