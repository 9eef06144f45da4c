/** An outgoing proof: sending, saved on this phone until there is a network, waiting for a login, or refused. */
import { CircleAlert, Download, LogIn, Upload } from 'lucide-react'
import { useState } from 'react'
import { useOnline } from '../../shared/online.ts'
import { removeItem, takeBack, tryItemAgain } from '../phone/outbox.ts'
import { type OutboxFile, type OutboxItem, progressOf } from '../phone/outbox-rules.ts'
import { sendSoon } from '../phone/use-outbox.ts'
import { refusalText } from '../problems.ts'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Progress } from '../../shared/ui/progress.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { titleOf } from './brief-rules.ts'
import { kB } from './check-proof.tsx'
import { TimeLeft } from './clock.tsx'
import type { Work } from './queries.ts'
import { useMediaUrl } from './shown-media.tsx'

export function OnItsWay({
  work,
  item,
  onTakenBack,
}: {
  work: Work
  item: OutboxItem
  onTakenBack(): void
}) {
  const text = useText()
  return (
    <Page
      title={titleOf(work.task)}
      back="/active"
      backLabel={text('nav.active')}
      actions={item.state !== 'refused' && <TimeLeft until={work.assignment.expires_at} />}
    >
      {item.state === 'refused' ? (
        <Refused item={item} onTakenBack={onTakenBack} />
      ) : item.state === 'needs_login' ? (
        <NeedsLogin item={item} />
      ) : (
        <Sending item={item} />
      )}
    </Page>
  )
}

function Sending({ item }: { item: OutboxItem }) {
  const text = useText()
  const isOnline = useOnline()
  const { sent, total } = progressOf(item)
  // Two failures in a row are more than a brief interruption.
  if (!isOnline || item.failures > 1)
    return (
      <Card>
        <div role="status">
          <h2 className="flex items-center gap-2 text-title font-bold">
            <Upload size={20} aria-hidden />
            {text('active.saved.title')}
          </h2>
        </div>
        <p>{text('active.saved.body')}</p>
        {total > 0 && (
          <p className="text-sm text-muted">
            {text('active.saved.size', { sent: kBOr0(sent), total: kB(total) })}
          </p>
        )}
        {isOnline && (
          <Button look="secondary" onPress={sendSoon}>
            {text('active.saved.now')}
          </Button>
        )}
      </Card>
    )
  const share = total === 0 ? 0 : Math.round((sent / total) * 100)
  const label =
    total === 0 || sent === total
      ? text('active.sending.last')
      : text('active.sending.progress', { sent: kBOr0(sent), total: kB(total) })
  return (
    <Card>
      <div className="flex justify-between gap-2">
        <div role="status">
          <h2 className="text-title font-bold">{label}</h2>
        </div>
        {total > 0 && <span className="text-muted">{text.percent(share / 100)}</span>}
      </div>
      <Progress label={label} value={total === 0 ? 100 : share} />
      <p className="text-muted">{text('active.sending.body')}</p>
    </Card>
  )
}

const kBOr0 = (bytes: number) => (bytes === 0 ? 0 : kB(bytes))

function NeedsLogin({ item }: { item: OutboxItem }) {
  const text = useText()
  const next = encodeURIComponent(`/active/${item.taskId}`)
  return (
    <Banner
      tone="warn"
      icon={<LogIn size={20} aria-hidden />}
      title={text('active.needsLogin.title')}
      action={<ButtonLink href={`/login?next=${next}`}>{text('shell.logIn')}</ButtonLink>}
    >
      {text('active.needsLogin.body')}
    </Banner>
  )
}

/** Refused permanently, so a retry is pointless; the files are still on the phone. */
function Refused({ item, onTakenBack }: { item: OutboxItem; onTakenBack(): void }) {
  const text = useText()
  const [isAsking, setIsAsking] = useState(false)
  const { refusal } = item
  const isOver = refusal !== null && OVER.includes(refusal.code)
  return (
    <>
      <Banner
        tone="bad"
        isAlert
        icon={<CircleAlert size={20} aria-hidden />}
        title={text('active.refused.title')}
      >
        <p>{isOver ? text('active.refused.over') : refusal && refusalText(refusal, text)}</p>
        <p>{text('active.refused.kept')}</p>
        {refusal?.requestId !== undefined && (
          <p>{text('shell.reference', { id: refusal.requestId })}</p>
        )}
      </Banner>
      <div className="flex flex-col gap-2">
        {!isOver && (
          <Button onPress={() => void takeBack(item).then(onTakenBack)}>
            {text('active.refused.change')}
          </Button>
        )}
        <Button look="secondary" onPress={() => void tryItemAgain(item).then(sendSoon)}>
          {text('active.refused.again')}
        </Button>
        {item.files.map((file, at) => (
          <SaveToPhone key={file.id} file={file} number={at + 1} />
        ))}
        <Button look="quiet" onPress={() => setIsAsking(true)}>
          {text('active.refused.discard')}
        </Button>
      </div>
      <Sheet
        title={text('active.refused.discardTitle')}
        closeLabel={text('shell.close')}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        footer={
          <Button look="danger" onPress={() => void removeItem(item)}>
            {text('active.refused.discard')}
          </Button>
        }
      >
        <p>{text('active.refused.discardBody')}</p>
      </Sheet>
    </>
  )
}

const OVER = ['assignment_ended', 'assignment_not_found', 'no_slot']

function SaveToPhone({ file, number }: { file: OutboxFile; number: number }) {
  const text = useText()
  const url = useMediaUrl(file)
  if (url === undefined) return null
  const ending = file.content_type.split('/')[1]?.replace('jpeg', 'jpg') ?? 'bin'
  return (
    <a
      href={url}
      download={`legwork-${number}.${ending}`}
      className="inline-flex min-h-12 items-center justify-center gap-2 rounded-field bg-raised px-5 font-semibold"
    >
      <Download size={20} aria-hidden />
      {text('active.refused.save', { number })}
    </a>
  )
}
