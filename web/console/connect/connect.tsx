/** The consent page: an app asks for access, and a person decides whether, for what, and with which budget. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { centsOf } from '../../shared/desk/cents.ts'
import { ActionError, QueryResult } from '../../shared/desk/query-states.tsx'
import { Facts, Panel, Screen } from '../../shared/desk/screen.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { Toggle } from '../../shared/ui/toggle.tsx'
import { type Answer, api, type Body } from '../api.ts'
import { SCOPES } from '../keys/tree.ts'
import { useConsole } from '../session.tsx'
import { type Period, PERIODS, readAskedAccess } from './asked-access.ts'

type Asked = NonNullable<ReturnType<typeof readAskedAccess>>
type Shown = Answer<'/console/connect'>
type Scope = Shown['scopes'][number]

const USUAL_DOLLARS = '20.00'
const LIVES = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
] as const
type Life = (typeof LIVES)[number]['value']

export function Connect() {
  const [search] = useSearchParams()
  const asked = readAskedAccess(search)
  return (
    <Screen
      title="Connect an app"
      lead="Decide whether this app may ask people for you, and pay them."
    >
      {asked === undefined ? (
        <Banner tone="bad">
          This link is incomplete. Go back to the app and connect again. Nothing was shared.
        </Banner>
      ) : (
        <AskedAccess asked={asked} />
      )}
    </Screen>
  )
}

function AskedAccess({ asked }: { asked: Asked }) {
  const shown = useQuery({
    queryKey: ['connect', asked],
    queryFn: ({ signal }) => api.get('/console/connect', { query: asked, signal }),
    // The request doesn't change while a person reads it.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <QueryResult query={shown}>{(data) => <Decision asked={asked} shown={data} />}</QueryResult>
  )
}

function Decision({ asked, shown }: { asked: Asked; shown: Shown }) {
  const { agent, isTest } = useConsole()
  const { app, deny_url } = shown
  const [scopes, setScopes] = useState<Scope[]>(shown.scopes)
  const [dollars, setDollars] = useState(USUAL_DOLLARS)
  const [period, setPeriod] = useState<Period>('month_max_cents')
  const [days, setDays] = useState<Life>('90')
  const action = useAction({
    run: (body: Body<'/console/connect'>, key) => api.post('/console/connect', { body, key }),
    changes: ['keys', 'connections'],
    onDone: ({ redirect_url }) => location.assign(redirect_url),
  })
  const cents = centsOf(dollars)
  const fields = action.error instanceof Refusal ? action.error.fields : {}
  const problem =
    cents === undefined || cents === 0 ? 'Enter an amount such as 20.00' : fields[period]
  const nothing = scopes.length === 0
  return (
    <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
      <Panel title="Who is asking">
        <Facts
          facts={[
            ['App', <bdi key="name">“{app.name}”</bdi>],
            [
              'Gets the access',
              <strong key="host" className="break-all">
                {app.redirect_host}
              </strong>,
            ],
            ['Acts for', <bdi key="agent">{`${agent.name}${isTest ? ' (test mode)' : ''}`}</bdi>],
          ]}
        />
        <Banner tone="warn">
          The app chose its name itself, and we haven’t checked it. Continue only if you started
          this in the app, and you trust {app.redirect_host}.
        </Banner>
      </Panel>
      <Panel title="What it may do">
        <Form
          problems={{ problem }}
          onSubmit={() => {
            if (problem !== undefined || nothing || cents === undefined) return
            action.mutate({ ...asked, scopes, days: Number(days), [period]: cents })
          }}
        >
          <fieldset className="flex flex-col">
            <legend className="font-semibold">Access</legend>
            {shown.scopes.map((scope) => (
              <Toggle
                key={scope}
                isOn={scopes.includes(scope)}
                hint={SCOPES[scope].says}
                onChange={(isOn) =>
                  setScopes(
                    shown.scopes.filter((one) => (one === scope ? isOn : scopes.includes(one))),
                  )
                }
              >
                {SCOPES[scope].label}
              </Toggle>
            ))}
          </fieldset>
          <div className="grid grid-cols-1 gap-3 min-[30rem]:grid-cols-2">
            <Field
              label={isTest ? 'Budget, in dollars of play money' : 'Budget, in dollars'}
              inputMode="decimal"
              value={dollars}
              onChange={setDollars}
              problem={problem}
            />
            <Select<Period>
              label="Applies"
              value={period}
              options={[...PERIODS]}
              onChange={setPeriod}
            />
          </div>
          <Select<Life> label="Ends after" value={days} options={[...LIVES]} onChange={setDays} />
          <p className="text-sm text-muted">
            You can change the budget and end the connection at any time under API keys.
          </p>
          <ActionError error={action.error} />
          {nothing && <Banner tone="warn">Turn on at least one kind of access.</Banner>}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" isPending={action.isPending || action.isSuccess}>
              Allow
            </Button>
            <Button look="secondary" onPress={() => location.assign(deny_url)}>
              Deny
            </Button>
          </div>
        </Form>
      </Panel>
    </div>
  )
}
