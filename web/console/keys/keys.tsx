/** API keys: their scopes, limits and hierarchy. */
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import { api } from '../api.ts'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { money, plural } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { Connections } from '../connect/connections.tsx'
import { RequiresScope } from '../scopes.tsx'
import { keysQuery, meQuery } from '../queries.ts'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { SecretOnce } from '../secret-once.tsx'
import { Confirm } from '../tasks/confirm.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { TYPES } from '../words.ts'
import { CapsForm } from './caps-form.tsx'
import { CreateKey } from './create-key.tsx'
import { inTree, type Key, SCOPES } from './tree.ts'

type Open = { what: 'create' } | { what: 'rotate' | 'revoke' | 'caps'; key: Key }

export function Keys() {
  const keys = useQuery(keysQuery)
  const me = useQuery(meQuery)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Screen
      title="API keys"
      lead="Create a key for each sub-agent and limit its scopes, task types, spending and lifetime."
      actions={
        <RequiresScope scope="manage" isQuiet>
          <Button onPress={() => setOpen({ what: 'create' })}>
            <Plus size={16} aria-hidden />
            New key
          </Button>
        </RequiresScope>
      }
    >
      <RequiresScope scope="manage" isQuiet>
        <Connections />
      </RequiresScope>
      <QueryResult query={keys}>
        {({ keys: all }) => (
          <ul className="flex flex-col gap-3" aria-label="Keys">
            {inTree(all).map(({ key, depth }) => (
              <li
                key={key.id}
                // Only two levels are indented, since on a phone more would leave no room for the key.
                className={depth === 0 ? '' : depth === 1 ? 'ms-4 wide:ms-8' : 'ms-6 wide:ms-16'}
              >
                <OneKey
                  apiKey={key}
                  isOwn={key.id === me.data?.key.id}
                  onOpen={(what) => setOpen({ what, key })}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
      {open?.what === 'create' && <CreateKey onClose={close} />}
      {open?.what === 'rotate' && <Rotate apiKey={open.key} onClose={close} />}
      {open?.what === 'revoke' && (
        <Revoke apiKey={open.key} isOwn={open.key.id === me.data?.key.id} onClose={close} />
      )}
      {open?.what === 'caps' && <CapsForm apiKey={open.key} onClose={close} />}
    </Screen>
  )
}

function OneKey({
  apiKey: key,
  isOwn,
  onOpen,
}: {
  apiKey: Key
  isOwn: boolean
  onOpen(what: 'rotate' | 'revoke' | 'caps'): void
}) {
  return (
    <Panel
      title={
        <span className="inline-flex flex-wrap items-center gap-2">
          <bdi>{key.name}</bdi>
          {isOwn && <Tag tone="good">This session</Tag>}
          {key.parent_id !== null && <Tag>Child key</Tag>}
          {key.is_of_app && <Tag tone="info">Connected app</Tag>}
          {!key.scopes.includes('review') && <Tag tone="warn">Can’t approve</Tag>}
        </span>
      }
      actions={
        <RequiresScope scope="manage" isQuiet>
          <div className="flex flex-wrap gap-2">
            <Button look="secondary" onPress={() => onOpen('caps')} aria-label={`Edit ${key.name}`}>
              Edit…
            </Button>
            {!key.is_of_app && (
              <Button
                look="secondary"
                onPress={() => onOpen('rotate')}
                aria-label={`Rotate ${key.name}`}
              >
                Rotate…
              </Button>
            )}
            <Button
              look="secondary"
              onPress={() => onOpen('revoke')}
              aria-label={`Revoke ${key.name}`}
            >
              Revoke…
            </Button>
          </div>
        </RequiresScope>
      }
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
        {!key.is_of_app && <code className="font-mono">{key.prefix}…</code>}
        <Id id={key.id} />
        <span>
          {key.last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Last used <Ago at={key.last_used_at} />
            </>
          )}
        </span>
        {key.expires_at !== null && (
          <span>
            Expires <Ago at={key.expires_at} />
          </span>
        )}
        {key.children > 0 && <span>{plural(key.children, 'child key')}</span>}
      </div>
      <div className="flex flex-wrap gap-1.5">
        {key.scopes.map((scope) => (
          <Tag key={scope}>{SCOPES[scope].label}</Tag>
        ))}
        {key.types?.map((type) => (
          <Tag key={type} tone="info">
            {TYPES[type]}
          </Tag>
        ))}
      </div>
      <Spent apiKey={key} />
    </Panel>
  )
}

/** Usage of each limit. Spending of keys without limits isn't tracked. */
function Spent({ apiKey: { caps, spent } }: { apiKey: Key }) {
  const windows = [
    { label: 'Today', spent: spent?.day_cents ?? 0, cap: caps.day_max_cents },
    { label: 'This month', spent: spent?.month_cents ?? 0, cap: caps.month_max_cents },
    { label: 'In total', spent: spent?.total_cents ?? 0, cap: caps.budget_cents },
  ].filter(({ cap }) => cap !== null) as { label: string; spent: number; cap: number }[]
  return (
    <div className="grid grid-cols-1 gap-3 min-[30rem]:grid-cols-3">
      {windows.map(({ label, spent: used, cap }) => (
        <div key={label} className="flex flex-col gap-1 text-sm">
          <span className="flex flex-wrap justify-between gap-x-2">
            <span className="text-muted">{label}</span>
            <span>
              {money(used)} of {money(cap)}
            </span>
          </span>
          <span aria-hidden className="flex h-1.5 rounded-full bg-raised">
            <span
              className={`rounded-full ${used >= cap ? 'bg-danger' : 'bg-brand'}`}
              style={{ width: `${Math.min(100, cap === 0 ? 100 : (100 * used) / cap)}%` }}
            />
          </span>
        </div>
      ))}
      {caps.task_max_cents !== null && (
        <span className="text-sm text-muted">Up to {money(caps.task_max_cents)} per task</span>
      )}
      {windows.length === 0 && caps.task_max_cents === null && (
        <span className="text-sm text-muted">No limits. This key can spend the whole wallet.</span>
      )}
    </div>
  )
}

function Rotate({ apiKey: key, onClose }: { apiKey: Key; onClose(): void }) {
  const action = useAction({
    run: (id: string, idempotencyKey) =>
      api.post('/agents/keys/{id}/rotate', { params: { id }, key: idempotencyKey }),
    changes: ['keys'],
  })
  const made = action.data
  return (
    <Confirm
      title={`Rotate ${key.name}`}
      does={made === undefined ? 'Rotate key' : 'I’ve copied it'}
      action={action}
      onConfirm={() => (made === undefined ? action.mutate(key.id) : onClose())}
      onClose={onClose}
    >
      {made === undefined ? (
        <p>
          The key keeps its limits and gets a new secret. The old secret keeps working for 24 hours,
          so you can switch without downtime.
        </p>
      ) : (
        <SecretOnce label="new key" secret={made.key.api_key}>
          <p className="text-sm text-muted">
            The old secret expires <Ago at={made.old_expires_at} />.
          </p>
        </SecretOnce>
      )}
    </Confirm>
  )
}

function Revoke({ apiKey: key, isOwn, onClose }: { apiKey: Key; isOwn: boolean; onClose(): void }) {
  const action = useAction({
    run: (id: string) => api.delete('/agents/keys/{id}', { params: { id } }),
    changes: ['keys', 'connections', 'session'],
    onDone: onClose,
  })
  return (
    <Confirm
      title={`Revoke ${key.name}?`}
      does={key.children === 0 ? 'Revoke key' : 'Revoke all keys'}
      isDanger
      action={action}
      onConfirm={() => action.mutate(key.id)}
      onClose={onClose}
    >
      <p>
        Calls with this key fail within seconds.{' '}
        {key.children > 0 &&
          `${plural(key.children, 'child key')} and all keys below are revoked, too. `}
        Tasks it has posted continue.
        {isOwn && ' You’re logged in with this key, so you’ll be logged out.'}
      </p>
    </Confirm>
  )
}
