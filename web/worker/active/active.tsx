/** The worker's tasks: those that need the worker now, to do, in review, done. */
import { useQuery } from '@tanstack/react-query'
import { BellRing, HardDrive } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { NoActiveArt } from '../art/no-active.tsx'
import { TypeTile } from '../art/type-icon.tsx'
import { QueryPlaceholder } from '../query-states.tsx'
import { isNewer, type OutboxItem, WARN_BYTES } from '../phone/outbox-rules.ts'
import { useOutbox } from '../phone/use-outbox.ts'
import { useText } from '../text/use-text.tsx'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Tag } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { useNow } from '../../shared/use-now.ts'
import { WHEN } from '../me/notice-words.ts'
import { titleOf } from './brief-rules.ts'
import { TimeLeft } from './clock.tsx'
import { byDeadline, type Need, needOf } from './needs.ts'
import { type WorkInList, worksQuery } from './queries.ts'

export function Active() {
  const text = useText()
  const query = useQuery(worksQuery)
  const { data, dataUpdatedAt } = query
  const items = useOutbox() ?? []
  const itemOf = ({ task }: WorkInList) =>
    items.findLast((item) => item.taskId === task.id && isNewer(item, dataUpdatedAt))
  const now = useNow(30_000)
  const works = data?.tasks ?? []
  const needs = new Map(
    works.flatMap((work) => {
      const need = needOf(work, itemOf(work), now)
      return need === undefined ? [] : [[work, need] as const]
    }),
  )
  const urgent = [...needs.keys()].sort((one, other) =>
    byDeadline(needs.get(one)!, needs.get(other)!),
  )
  const isToDo = (work: WorkInList) =>
    work.assignment.status === 'accepted' || itemOf(work)?.state === 'refused'
  const others = works.filter((work) => !needs.has(work))
  const toDo = others.filter((work) => isToDo(work) && itemOf(work)?.state !== 'sent')
  const checked = others.filter(
    (work) => work.assignment.status === 'submitted' || itemOf(work)?.state === 'sent',
  )
  const done = others.filter((work) => !toDo.includes(work) && !checked.includes(work))
  const keptBytes = items
    .filter(({ state }) => state !== 'sent')
    .flatMap(({ files }) => files)
    .reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <Page title={text('active.title')}>
      {keptBytes > WARN_BYTES && (
        <Banner tone="warn" icon={<HardDrive size={20} aria-hidden />}>
          {text('active.tooMuch', { size: Math.round(keptBytes / 1_000_000) })}
        </Banner>
      )}
      {data === undefined ? (
        <QueryPlaceholder query={query} />
      ) : works.length === 0 ? (
        <Empty
          picture={<NoActiveArt />}
          title={text('active.empty.title')}
          actions={
            <>
              <ButtonLink href="/">{text('active.empty.find')}</ButtonLink>
              <ButtonLink look="secondary" href="/practice">
                {text('active.empty.practice')}
              </ButtonLink>
            </>
          }
        >
          {text('active.empty.body')}
        </Empty>
      ) : (
        <>
          <List
            title={text('active.needsYou')}
            icon={<BellRing size={20} aria-hidden className="shrink-0 text-warn" />}
            works={urgent}
            hrefOf={(work) =>
              needs.get(work)?.kind === 'appeal' ? `/inbox/${work.task.id}` : undefined
            }
          >
            {(work) => <NeedLine work={work} need={needs.get(work)!} />}
          </List>
          <List title={text('active.toDo')} works={toDo}>
            {(work) => <ToDoLine work={work} item={itemOf(work)} />}
          </List>
          <List title={text('active.checked')} works={checked}>
            {(work) => <CheckedLine work={work} />}
          </List>
          <List title={text('active.done')} works={done}>
            {(work) => <DoneLine work={work} />}
          </List>
        </>
      )}
    </Page>
  )
}

function List({
  title,
  icon,
  works,
  hrefOf,
  children,
}: {
  title: string
  icon?: ReactNode
  works: WorkInList[]
  /** Where a task leads, if not to its own page. */
  hrefOf?(work: WorkInList): string | undefined
  children(work: WorkInList): ReactNode
}) {
  const text = useText()
  if (works.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h2 className="flex items-center gap-2 text-title font-bold">
        {icon}
        {title}
      </h2>
      <ul className="flex flex-col gap-2">
        {works.map((work) => (
          <li key={work.assignment.id}>
            <Link
              href={hrefOf?.(work) ?? `/active/${work.task.id}`}
              className="flex flex-wrap items-start gap-3 rounded-card bg-surface p-4 shadow-card"
            >
              <TypeTile type={work.task.type} />
              <div className="flex min-w-0 flex-1 basis-48 flex-col gap-2">
                <div className="flex flex-wrap items-start justify-between gap-x-3">
                  <h3
                    className="line-clamp-3 min-w-0 flex-1 basis-24 text-title font-semibold"
                    dir="auto"
                  >
                    {titleOf(work.task)}
                  </h3>
                  <span className="text-title font-bold text-brand">
                    {text.money(work.assignment.net_cents ?? work.assignment.pay_cents)}
                  </span>
                </div>
                <div className="flex flex-wrap items-center gap-2">{children(work)}</div>
              </div>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Tells the worker the next step and its deadline. */
function NeedLine({ work, need: { kind, until } }: { work: WorkInList; need: Need }) {
  const text = useText()
  if (kind === 'refused') return <Tag tone="bad">{text('active.refused.title')}</Tag>
  if (kind === 'needsLogin') return <Tag tone="warn">{text('active.needsLogin.title')}</Tag>
  return (
    <>
      {kind !== 'appeal' && <TimeLeft until={work.assignment.expires_at} />}
      <p className="text-sm font-semibold text-warn" dir="auto">
        {text(`active.need.${kind}`, {
          agent: work.agent.name,
          when: until === null ? '' : text.date(until, WHEN),
        })}
      </p>
    </>
  )
}

function ToDoLine({ work, item }: { work: WorkInList; item: OutboxItem | undefined }) {
  const text = useText()
  if (item === undefined) return <TimeLeft until={work.assignment.expires_at} />
  return <Tag tone="info">{text('active.saved.title')}</Tag>
}

function CheckedLine({ work: { assignment, agent } }: { work: WorkInList }) {
  const text = useText()
  const now = useNow(30_000)
  const until = assignment.auto_approve_at
  return (
    <p className="text-sm text-muted" dir="auto">
      {assignment.decides_by !== null
        ? text('active.line.held', { when: text.date(assignment.decides_by) })
        : until === null
          ? text('active.line.waiting', { agent: agent.name })
          : text('active.line.automatic', {
              time: text.duration(Math.max(0, Date.parse(until) - now) / 60_000),
            })}
    </p>
  )
}

function DoneLine({ work: { assignment } }: { work: WorkInList }) {
  const text = useText()
  const { status, ended_at } = assignment
  return (
    <>
      <Tag tone={status === 'approved' ? 'good' : status === 'disputed' ? 'warn' : 'plain'}>
        {text(`active.line.${status}`)}
      </Tag>
      {ended_at !== null && <span className="text-sm text-muted">{text.ago(ended_at)}</span>}
    </>
  )
}
