import { useQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { Refusal } from '../../shared/api/client.ts'
import { Ago } from '../../shared/desk/ago.tsx'
import { ActionError, problemOf } from '../../shared/desk/query-states.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { caseQuery } from '../queries.ts'
import { STATES } from './words.ts'

/** Why a decision failed. If somebody else was faster: what they decided, and the way to the next case. */
export function Late({
  error,
  caseId,
  onNext,
}: {
  error: unknown
  caseId: string
  onNext: (() => void) | undefined
}) {
  if (!(error instanceof Refusal) || error.status !== 409) return <ActionError error={error} />
  return (
    <Banner
      tone="warn"
      isAlert
      icon={<UsersRound size={18} aria-hidden />}
      title={problemOf(error)}
      action={
        onNext !== undefined && (
          <div className="pt-1">
            <Button look="secondary" onPress={onNext}>
              Next case
            </Button>
          </div>
        )
      }
    >
      <Newest caseId={caseId} at={error} />
    </Banner>
  )
}

function Newest({ caseId, at }: { caseId: string; at: Refusal }) {
  // A copy of its own: what is on the screen was loaded before.
  const { data } = useQuery({
    ...caseQuery(caseId),
    queryKey: ['case', caseId, at.requestId ?? ''],
    refetchInterval: false,
  })
  const newest = data?.decisions[0]
  if (newest === undefined) return <>Your reason is kept. Reload the page to see the case.</>
  return (
    <>
      <bdi className="font-medium">{newest.proposed_by.name}</bdi> decided <Ago at={newest.at} />:{' '}
      {newest.title}. {STATES[newest.state]?.word ?? newest.state}.
      <blockquote className="mt-1 whitespace-pre-wrap" dir="auto">
        {newest.reason}
      </blockquote>
    </>
  )
}
