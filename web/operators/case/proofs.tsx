/** Proofs and attachments. Nothing is loaded before a look; then each photo stays blurred and gray until it is pressed. */
import { CircleCheck, CircleX, Coffee, EyeOff, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Ago } from '../../shared/desk/ago.tsx'
import { Id } from '../../shared/desk/id.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Tag } from '../../shared/ui/card.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import type { Case, Look, LookWhat, Proof } from '../api.ts'
import { useLooks } from './looks.tsx'
import { usePhotoCount } from './photo-count.ts'
import { partsOf, Quotes } from './texts.tsx'

/** The proofs, with what the workers wrote. */
export function Proofs({ shown: { proofs, text } }: { shown: Case }) {
  const words = partsOf(text).delivered
  if (proofs.length === 0 && words.length > 0)
    return (
      <Panel title="Delivered">
        <Quotes texts={words} />
      </Panel>
    )
  return proofs.map((proof, at) => (
    <Panel
      key={proof.id}
      title={proofs.length === 1 ? 'Delivered' : `Delivered, ${at + 1} of ${proofs.length}`}
    >
      <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
        <Id id={proof.worker_id} href={`/case/${proof.worker_id}`} />
        <Ago at={proof.submitted_at} />
      </p>
      {proof.outcome === 'not_possible' && (
        <div>
          <Tag tone="warn" icon={<TriangleAlert size={14} aria-hidden />}>
            Worker says it can’t be done
          </Tag>
        </div>
      )}
      {at === 0 && <Quotes texts={words} />}
      <MediaGrid subject={proof.id} what="proof" media={proof.media} />
      <Checks checks={proof.checks} />
    </Panel>
  ))
}

interface Medium {
  n: number
  kind: string
}

type Loaded = Extract<Look['value'], { media: unknown }>['media'][number]

export function MediaGrid({
  subject,
  what,
  media,
}: {
  subject: string
  what: Extract<LookWhat, 'proof' | 'attachment'>
  media: Medium[]
}) {
  const { canLook, seen, ask } = useLooks()
  const { isTired, add, rest } = usePhotoCount()
  const [clear, setClear] = useState<number[]>([])
  const [open, setOpen] = useState<number>()
  const found = seen({ subject, what })
  const loaded = typeof found === 'object' && 'media' in found ? found.media : undefined
  if (media.length === 0) return null
  const reveal = (n: number) => {
    setClear((before) => [...before, n])
    add()
  }
  const opened = loaded?.find(({ n }) => n === open)
  return (
    <>
      {isTired && <Break onEnd={rest} />}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(8rem,100%),1fr))] gap-2">
        {media.map(({ n, kind }) => {
          const file = loaded?.find((one) => one.n === n)
          const name = numbered(what, { n, kind })
          if (file === undefined)
            return (
              <li key={n}>
                <Hidden
                  name={name}
                  isDisabled={!canLook}
                  onPress={() => ask({ subject, what }, () => reveal(n))}
                />
              </li>
            )
          return (
            <li key={n} className={kind === 'photo' ? '' : 'col-span-full'}>
              <Shown
                file={file}
                name={name}
                isClear={clear.includes(n)}
                onClear={() => reveal(n)}
                onOpen={() => setOpen(n)}
              />
            </li>
          )
        })}
      </ul>
      {!canLook && (
        <p className="text-sm text-muted">Your role doesn’t include looking at files.</p>
      )}
      {opened !== undefined && (
        <Sheet
          title={numbered(what, opened)}
          closeLabel="Close"
          isOpen
          onClose={() => setOpen(undefined)}
        >
          <img
            src={opened.url}
            alt={numbered(what, opened)}
            className="max-h-[75dvh] w-full object-contain"
          />
        </Sheet>
      )}
    </>
  )
}

const nameOf = (kind: string) => `${kind[0]!.toUpperCase()}${kind.slice(1)}`

/** Attachments are numbered over the whole conversation, from 1; the media of a proof from 0. */
const numbered = (what: LookWhat, { n, kind }: Medium) =>
  `${nameOf(kind)} ${what === 'attachment' ? n : n + 1}`

const TILE =
  'flex aspect-4/3 w-full flex-col items-center justify-center gap-1 overflow-hidden rounded-field border border-border bg-raised text-sm text-muted'

function Hidden({
  name,
  isDisabled,
  onPress,
}: {
  name: string
  isDisabled: boolean
  onPress(): void
}) {
  return (
    <button type="button" disabled={isDisabled} onClick={onPress} className={TILE}>
      <EyeOff size={20} aria-hidden />
      {isDisabled ? name : `Show ${name.toLowerCase()}`}
    </button>
  )
}

function Shown({
  file: { kind, url },
  name,
  isClear,
  onClear,
  onOpen,
}: {
  file: Loaded
  name: string
  isClear: boolean
  onClear(): void
  onOpen(): void
}) {
  // Workers' videos have no captions; the texts beside them describe what they show.
  if (kind === 'video')
    return <video src={url} controls preload="none" className="w-full rounded-field" />
  if (kind === 'audio') return <audio src={url} controls preload="none" className="w-full" />
  return (
    <button
      type="button"
      aria-label={isClear ? `Enlarge ${name.toLowerCase()}` : `Unblur ${name.toLowerCase()}`}
      onClick={isClear ? onOpen : onClear}
      className={TILE}
    >
      <img
        src={url}
        alt=""
        className={`size-full object-cover ${isClear ? '' : 'blur-md grayscale'}`}
      />
    </button>
  )
}

function Break({ onEnd }: { onEnd(): void }) {
  return (
    <Banner
      tone="info"
      icon={<Coffee size={18} aria-hidden />}
      title="Time for a break"
      action={
        <div className="pt-1">
          <Button look="secondary" onPress={onEnd}>
            Continue
          </Button>
        </div>
      }
    >
      You have looked at 60 photos. A few minutes away from the screen help you judge the next one
      fairly.
    </Banner>
  )
}

const RESULTS: Record<string, { icon: LucideIcon; tone: string; word: string }> = {
  pass: { icon: CircleCheck, tone: 'text-brand', word: 'Passed' },
  warn: { icon: TriangleAlert, tone: 'text-warn', word: 'Warning' },
  fail: { icon: CircleX, tone: 'text-danger', word: 'Failed' },
}

/** Results of automatic checks. They never decide a case alone. */
function Checks({ checks }: { checks: Proof['checks'] }) {
  if (checks.length === 0) return null
  return (
    <ul aria-label="Checks" className="grid grid-cols-1 gap-x-4 gap-y-1 wide:grid-cols-2">
      {counted(checks).map(({ name, result, note, times }) => {
        const { icon: Icon, tone, word } = RESULTS[result] ?? RESULTS.warn!
        return (
          <li key={`${name} ${result} ${note}`} className="flex items-start gap-2">
            <Icon size={16} aria-hidden className={`mt-0.5 ${tone}`} />
            <span>
              <span className="sr-only">{word}: </span>
              {note ?? name}
              {times > 1 && <span className="text-muted"> ({times} files)</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Each photo has its own checks; those with the same result are shown once. */
function counted(checks: Proof['checks']) {
  const same = Map.groupBy(checks, ({ name, result, note }) => `${name} ${result} ${note}`)
  return [...same.values()].map((group) => ({ ...group[0]!, times: group.length }))
}
