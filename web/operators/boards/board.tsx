/** A board: figures with their definitions, states and rows, and tables. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { CircleCheck, OctagonAlert, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import { Segmented } from '../../shared/ui/choice.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { api } from '../api.ts'
import {
  type Board as Shown,
  type BoardName,
  BOARDS,
  type Figure,
  isNumber,
  Value,
  writeFigure,
} from './values.tsx'

const OFTEN_MS = 30_000

type Window = NonNullable<Shown['window']>

const boardQuery = (name: BoardName, window: Window) =>
  queryOptions({
    queryKey: ['board', name, window],
    queryFn: ({ signal }) =>
      api.get('/boards/{name}', { params: { name }, query: { window }, signal }),
    refetchInterval: OFTEN_MS,
    placeholderData: keepPreviousData,
  })

export function Board() {
  const params = useParams<{ name?: string }>()
  const { name, label } = BOARDS.find((board) => board.name === params.name) ?? BOARDS[0]!
  const [window, setWindow] = useState<Window>('day')
  const board = useQuery(boardQuery(name, window))
  const hasWindows = board.data !== undefined && board.data.window !== null
  return (
    <Screen
      title={label}
      name={`${label} board`}
      isWide
      actions={
        hasWindows && (
          <Segmented<Window>
            label="Period"
            value={window}
            onChange={(chosen: Window) => setWindow(chosen)}
            options={[
              { value: 'day', label: '24\u00a0hours' },
              { value: 'week', label: '7\u00a0days' },
            ]}
          />
        )
      }
    >
      <Boards current={name} />
      <QueryResult query={board}>{(data) => <Content board={data} />}</QueryResult>
    </Screen>
  )
}

function Boards({ current }: { current: BoardName }) {
  return (
    <nav aria-label="Boards" className="flex flex-wrap gap-2">
      {BOARDS.map(({ name, label }) => (
        <Link
          key={name}
          href={`/boards/${name}`}
          aria-current={name === current ? 'page' : undefined}
          className="inline-flex min-h-target items-center rounded-full border border-control px-4 text-sm font-medium aria-[current]:border-brand aria-[current]:bg-brand-soft aria-[current]:text-on-brand-soft"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

function Content({ board: { at, figures, tables, window_words } }: { board: Shown }) {
  return (
    <>
      <p className="text-sm text-muted">
        Read <Ago at={at} />
        {window_words !== null && `, about ${window_words} unless a figure says otherwise`}
      </p>
      <ul className="grid grid-cols-1 items-start gap-3 min-[30rem]:grid-cols-2 wide:grid-cols-3 min-[80rem]:grid-cols-4">
        {figures.map((figure) => (
          <FigureCard key={figure.name} figure={figure} />
        ))}
      </ul>
      {tables.map(({ title, definition, columns, rows }) => (
        <Panel key={title} title={title} isFlush>
          <p className="max-w-[68ch] px-4 text-sm text-muted">{definition}</p>
          {rows.length === 0 ? (
            <p className="px-4 pb-4">None</p>
          ) : (
            <Table<(typeof rows)[number]>
              label={title}
              rows={rows}
              keyOf={(row) => JSON.stringify(row)}
              columns={columns.map((column, at) => ({
                id: column.name,
                label: column.name,
                isNumber: isNumber(column),
                cell: (row) => <Value value={row[at]!} as={column.as} />,
              }))}
            />
          )}
        </Panel>
      ))}
    </>
  )
}

const STATES = {
  ok: { word: 'Fine', tone: 'good', icon: CircleCheck },
  warn: { word: 'Watch', tone: 'warn', icon: TriangleAlert },
  bad: { word: 'Act now', tone: 'bad', icon: OctagonAlert },
} as const

function FigureCard({ figure }: { figure: Figure }) {
  const { title, definition, link, state } = figure
  const shown = state === null ? undefined : STATES[state]
  return (
    <li className="flex min-w-0 flex-col gap-1 rounded-card border border-border bg-surface p-4">
      <h2 className="text-sm text-muted">{title}</h2>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="text-xl leading-tight font-semibold tabular-nums">
          {writeFigure(figure)}
        </span>
        {shown !== undefined && (
          <Tag tone={shown.tone} icon={<shown.icon size={16} aria-hidden />}>
            {shown.word}
          </Tag>
        )}
      </div>
      <div className="mt-auto flex flex-wrap items-start justify-between gap-x-3">
        <Disclosure
          title={
            <span>
              Definition<span className="sr-only"> of {title}</span>
            </span>
          }
        >
          <p className="pb-2 text-sm">{definition}</p>
        </Disclosure>
        {link !== null && (
          <span className="flex min-h-target items-center">
            <TextLink href={link}>
              Show rows<span className="sr-only"> of {title}</span>
            </TextLink>
          </span>
        )}
      </div>
    </li>
  )
}
