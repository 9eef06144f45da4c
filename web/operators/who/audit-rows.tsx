import { Fragment } from 'react'
import { Link } from 'wouter'
import { minute, money } from '../../shared/desk/figures.ts'
import { shortId } from '../../shared/desk/id.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { WithIds } from '../../shared/desk/with-ids.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Table } from '../../shared/ui/table.tsx'
import type { Answer } from '../api.ts'
import { ROLE_NAMES, type Role } from './roles.tsx'
import { subjectHref } from './subject-href.ts'

type Row = Answer<'/audit-log'>['rows'][number]

const LINK = 'inline-flex min-h-7 items-center text-brand hover:underline'

export function AuditRows({ rows, more }: { rows: Row[]; more: (() => void) | undefined }) {
  return (
    <Panel isFlush>
      <Table
        label="Audit log"
        rows={rows}
        keyOf={({ seq }) => String(seq)}
        columns={[
          {
            id: 'seq',
            label: 'Row',
            cell: ({ seq }) => <span className="tabular-nums">{seq}</span>,
          },
          {
            id: 'at',
            label: 'Time',
            cell: ({ at }) => (
              <time dateTime={at} className="text-sm wide:whitespace-nowrap">
                {minute(at)}
              </time>
            ),
          },
          { id: 'by', label: 'Who', cell: (row) => <Who row={row} /> },
          {
            id: 'what',
            label: 'What',
            cell: ({ action }) => <Action>{action}</Action>,
          },
          { id: 'subject', label: 'About', cell: (row) => <Subject row={row} /> },
          { id: 'why', label: 'Details', cell: (row) => <Details row={row} /> },
        ]}
      />
      {more !== undefined && (
        <div className="flex justify-end border-t border-border px-4 py-2">
          <Button look="secondary" onPress={more}>
            Load more
          </Button>
        </div>
      )}
    </Panel>
  )
}

const nameOfRole = (role: string) => ROLE_NAMES[role as Role] ?? role

function Who({ row: { operator, role } }: { row: Row }) {
  return (
    <span className="flex min-w-0 flex-col items-end wide:items-start">
      {operator.name === null ? (
        <span className="font-mono text-sm break-all">{operator.id}</span>
      ) : (
        <Link href={`/team/${operator.id}`} className={LINK}>
          <bdi>{operator.name}</bdi>
        </Link>
      )}
      <span className="text-sm text-muted">{nameOfRole(role)}</span>
    </span>
  )
}

/** Wraps after a dot. */
function Action({ children }: { children: string }) {
  return (
    <span className="min-w-0 font-mono text-sm wrap-anywhere">
      {children.split('.').map((part, at) => (
        <Fragment key={at}>
          {at > 0 && (
            <>
              .<wbr />
            </>
          )}
          {part}
        </Fragment>
      ))}
    </span>
  )
}

function Subject({ row: { action, subject } }: { row: Row }) {
  const href = subjectHref(action, subject)
  const short = (
    <span title={subject} className="font-mono text-sm break-all wide:whitespace-nowrap">
      {shortId(subject)}
    </span>
  )
  if (href === undefined) return short
  return (
    <Link href={href} aria-label={`Open ${shortId(subject)}`} className={LINK}>
      {short}
    </Link>
  )
}

/** Shows the operator's words, and the ids, amounts and codes of the action. */
function Details({ row: { detail, words, are_words_erased } }: { row: Row }) {
  const facts = Object.entries(detail).filter(([, value]) => value !== null)
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      {words !== null && (
        <q className="max-w-[60ch] whitespace-pre-wrap" dir="auto">
          {words}
        </q>
      )}
      {are_words_erased && (
        <span className="text-muted italic">What was written here has been erased.</span>
      )}
      {facts.length > 0 && (
        <span className="text-sm break-words text-muted">
          {facts.map(([name, value], at) => (
            <span key={name}>
              {at > 0 && ' · '}
              {name.replace(/_cents$/, '').replaceAll('_', ' ')}:{' '}
              <WithIds>{wordsOf(name, value)}</WithIds>
            </span>
          ))}
        </span>
      )}
    </span>
  )
}

function wordsOf(name: string, value: unknown): string {
  if (typeof value === 'number') return name.endsWith('_cents') ? money(value) : String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
