import { useMutation, useQueryClient } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { api } from '../api.ts'
import { problemOf } from '../problems.ts'
import { profileQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import type { Card as TaskCard } from './wishes.ts'

/** From this many cases on, the server tells rates. */
const CASES_LEAST = 5

/** The agent, how it has treated workers, and a button to hide it. */
export function AgentRecord({ agent }: { agent: TaskCard['agent'] }) {
  const text = useText()
  const { approval_rate: paid, median_review_s: seconds, overturn_rate: overturned } = agent
  const { verdicts } = agent
  const facts = [
    ...(paid === null ? [] : [[text('find.pays'), text.percent(paid)]]),
    ...(seconds === null
      ? []
      : [[text('find.decidesIn'), text.duration(Math.max(1, seconds / 60))]]),
    ...(overturned === null ? [] : [[text('find.overturned'), text.percent(overturned)]]),
  ]
  return (
    <Card>
      <h2 className="text-title font-bold">
        <bdi>{agent.name}</bdi>
      </h2>
      {facts.length === 0 ? (
        <p className="text-sm text-muted">
          {verdicts === 0
            ? text('find.noRecord')
            : text('find.fewVerdicts', { count: verdicts, least: CASES_LEAST })}
        </p>
      ) : (
        <>
          <dl className="grid grid-cols-3 gap-2">
            {facts.map(([name, value]) => (
              <div key={name} className="flex flex-col-reverse justify-end">
                <dt className="text-sm text-muted">{name}</dt>
                <dd className="text-lg font-bold">{value}</dd>
              </div>
            ))}
          </dl>
          <p className="text-sm text-muted">{text('find.record', { count: verdicts })}</p>
        </>
      )}
      <HideAgent agent={agent} />
    </Card>
  )
}

function HideAgent({ agent }: { agent: TaskCard['agent'] }) {
  const text = useText()
  const client = useQueryClient()
  const hide = useMutation({
    async mutationFn(isHidden: boolean) {
      // Refetch first: another device may have changed the hidden agents meanwhile.
      const { worker } = await client.query({ ...profileQuery, staleTime: 0 })
      const { muted_agents = [], muted_names = {} } = worker.preferences
      const others = muted_agents.filter((id) => id !== agent.id)
      const changed = await api.put('/worker/profile', {
        body: {
          preferences: isHidden
            ? {
                muted_agents: [...others, agent.id],
                // Store the name, since the list of hidden agents has to show it.
                muted_names: { ...(muted_names as object), [agent.id]: agent.name },
              }
            : { muted_agents: others },
        },
      })
      client.setQueryData(profileQuery.queryKey, changed)
      return isHidden
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['feed', 'list'] }),
  })
  if (hide.data === true)
    return (
      <Banner
        icon={<EyeOff size={20} aria-hidden />}
        action={
          <Button look="quiet" isPending={hide.isPending} onPress={() => hide.mutate(false)}>
            {text('find.showAgent')}
          </Button>
        }
      >
        {text('find.agentHidden')}
      </Banner>
    )
  return (
    <div className="-ms-2 -mb-2">
      <Button look="quiet" isPending={hide.isPending} onPress={() => hide.mutate(true)}>
        <EyeOff size={18} aria-hidden />
        {text('find.hideAgent')}
      </Button>
      {hide.isError && (
        <p role="alert" className="px-2 pb-2 text-sm font-semibold text-danger">
          {problemOf(hide.error, text)}
        </p>
      )}
    </div>
  )
}
