import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { problemOf, type Words } from '../problems.ts'
import { useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import type { ShutOut } from './shut-out.ts'

type Dispute = ShutOut['disputes'][number]

const STATEMENT_MAX = 2000
export const WHEN = { dateStyle: 'long', timeStyle: 'short' } as const
const PROBLEMS: Words = {
  appeal_used: 'dispute.problem_appeal_used',
  appeal_too_late: 'dispute.problem_appeal_too_late',
  not_disputed: 'dispute.problem_not_disputed',
}

/** Disputes of earlier work: each can be appealed here, without a session. */
export function Disputes({ disputes, token }: { disputes: Dispute[]; token: string }) {
  const text = useText()
  return disputes.map((dispute) => (
    <Card key={dispute.task_id}>
      <h2 className="font-semibold">
        {text('objection.dispute', { money: text.money(dispute.pay_cents) })}
      </h2>
      <p dir="auto">{dispute.title}</p>
      <h3 className="text-sm font-semibold">{text('objection.disputeReason')}</h3>
      <blockquote dir="auto" className="border-s-4 border-control ps-3">
        {dispute.reason}
      </blockquote>
      {dispute.can_appeal ? (
        <Appeal dispute={dispute} token={token} />
      ) : (
        <p className="font-semibold">
          {text(
            dispute.ruling === null ? 'objection.appealed' : `objection.ruling_${dispute.ruling}`,
          )}
        </p>
      )}
      {dispute.ruling_note !== null && <blockquote dir="auto">{dispute.ruling_note}</blockquote>}
    </Card>
  ))
}

function Appeal({
  dispute: { task_id, appeal_until },
  token,
}: {
  dispute: Dispute
  token: string
}) {
  const text = useText()
  const client = useQueryClient()
  const [statement, setStatement] = useState('')
  const [missing, setMissing] = useState<string>()
  const send = useMutation({
    mutationFn: () =>
      api.post('/worker/objections/appeal', { body: { token, task_id, statement } }),
    onSettled: () => client.refetchQueries({ queryKey: ['decision', token] }),
  })
  const problem = missing ?? (send.error ? problemOf(send.error, text, PROBLEMS) : undefined)
  return (
    <Form
      problems={{ problem }}
      onSubmit={() => {
        const isEmpty = statement.trim() === ''
        setMissing(isEmpty ? text('objection.appealMissing') : undefined)
        if (!isEmpty) send.mutate()
      }}
    >
      <Field
        label={text('objection.appealAsk')}
        hint={text('objection.appealHint', { when: text.date(appeal_until, WHEN) })}
        rows={4}
        maxLength={STATEMENT_MAX}
        value={statement}
        onChange={(typed) => {
          setStatement(typed)
          setMissing(undefined)
          if (send.error) send.reset()
        }}
        problem={problem}
      />
      <Button type="submit" isWide isPending={send.isPending}>
        {text('objection.appealSend')}
      </Button>
    </Form>
  )
}
