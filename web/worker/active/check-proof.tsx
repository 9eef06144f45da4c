import { ChevronDown, CircleCheck, MapPin, Plus, Trash2, TriangleAlert } from 'lucide-react'
import type { DraftFile } from '../phone/draft.ts'
import type { MediaKind } from '../phone/outbox-rules.ts'
import type { Where } from '../phone/position.ts'
import type { DraftInHand } from '../phone/use-draft.ts'
import { type TextId, useText } from '../text/use-text.tsx'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Page, WayOn } from '../../shared/ui/page.tsx'
import { Blocks } from '../brief/show-blocks.tsx'
import { placeOf, titleOf } from './brief-rules.ts'
import { TimeLeft } from './clock.tsx'
import { AgentSees, ProofForm, useSendProof } from './proof-form.tsx'
import { foundCents, nextShot } from './proof-rules.ts'
import type { Work } from './queries.ts'
import { ShownMedia } from './shown-media.tsx'
import { Criteria, ProblemLink, Steps, subjectOf, useBrief } from './to-do.tsx'
import { whereText } from './viewfinder.tsx'

/** Review before sending: photos with the phone's quality check, the answer, and the send button. */
export function CheckProof({
  work,
  hand,
  where,
  distanceKm,
  hasLocation,
  onCamera,
  onBack,
  onSend,
}: {
  work: Work
  hand: DraftInHand
  where: Where
  distanceKm: number | null
  /** Whether a location is sent with the proof. */
  hasLocation: boolean
  onCamera(kind: MediaKind): void
  onBack(): void
  onSend(): Promise<void>
}) {
  const text = useText()
  const { task, assignment } = work
  const { draft } = hand
  const isFound = draft.outcome === 'not_possible'
  const sending = useSendProof(work, draft, onSend)
  const shot = nextShot(task, draft)
  const hasPlace = (placeOf(task)?.point ?? null) !== null
  return (
    <Page
      title={isFound ? text('active.found.title') : titleOf(task)}
      back="/active"
      backLabel={text('active.inProgress')}
      actions={<TimeLeft until={assignment.expires_at} />}
      footer={
        <WayOn
          beside={
            isFound ? (
              <Button
                look="secondary"
                onPress={() => {
                  hand.change({ outcome: 'done' })
                  onBack()
                }}
              >
                {text('active.found.back')}
              </Button>
            ) : (
              <ProblemLink taskId={task.id} />
            )
          }
        >
          <Button isWide isPending={sending.isSending} onPress={sending.send}>
            {text(isFound ? 'active.sendFound' : 'active.sendProof')}
          </Button>
        </WayOn>
      }
    >
      {!isFound && <Instructions work={work} hand={hand} />}
      {isFound && <p>{text('active.found.body', { money: text.money(foundCents(assignment)) })}</p>}
      {draft.files.map((file, at) => (
        <Taken
          key={file.id}
          file={file}
          label={text(`active.check.${file.kind}`, { number: at + 1, task: titleOf(task) })}
          onRemove={() => hand.remove(file.id)}
        />
      ))}
      {hasPlace && (
        <p className="flex items-center gap-2 text-sm">
          <MapPin size={18} aria-hidden className="shrink-0 text-brand" />
          {whereText(where, distanceKm, text)}
        </p>
      )}
      {sending.isTold && sending.missing === 'proof' && (
        <Banner tone="bad" isAlert icon={<TriangleAlert size={20} aria-hidden />}>
          {text(MISSING[shot.kind])}
        </Banner>
      )}
      {!shot.isFull && (
        <Button look="secondary" onPress={() => onCamera(shot.kind)}>
          <Plus size={20} aria-hidden />
          {text((shot.taken === 0 ? ADD : MORE)[shot.kind])}
        </Button>
      )}
      <ProofForm work={work} hand={hand} isTold={sending.isTold} />
      <AgentSees hasLocation={hasLocation} />
    </Page>
  )
}

/** The task again, for reading while writing the note. Collapsed, since the worker has just followed it. */
function Instructions({ work, hand }: { work: Work; hand: DraftInHand }) {
  const text = useText()
  const brief = useBrief(work)
  if (brief.blocks.length + brief.steps.length + brief.subject.length === 0) return null
  return (
    <details className="group">
      <summary className="flex min-h-target list-none items-center gap-1 self-start text-sm font-medium text-brand">
        {text('brief.instructions')}
        <ChevronDown size={18} aria-hidden className="transition-transform group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-3 pb-2">
        <Blocks blocks={[...brief.blocks, ...subjectOf(brief, work)]} canCall />
        {brief.steps.length > 0 && <Steps work={work} hand={hand} />}
        <Criteria work={work} />
      </div>
    </details>
  )
}

const ADD = {
  photo: 'active.check.addPhoto',
  video: 'active.openVideo',
  audio: 'active.openAudio',
} as const
const MORE = {
  photo: 'active.check.morePhoto',
  video: 'active.check.again',
  audio: 'active.check.again',
} as const
const MISSING = {
  photo: 'active.check.noPhoto',
  video: 'active.check.noVideo',
  audio: 'active.check.noAudio',
} as const

export function Taken({
  file,
  label,
  onRemove,
}: {
  file: DraftFile
  label: string
  onRemove(): void
}) {
  const text = useText()
  return (
    <figure className="flex flex-col gap-2">
      <ShownMedia file={file} label={label} />
      <figcaption className="flex items-start justify-between gap-2">
        <QualityLines file={file} />
        <IconButton label={text('active.check.remove', { what: label })} onPress={onRemove}>
          <Trash2 size={20} aria-hidden />
        </IconButton>
      </figcaption>
    </figure>
  )
}

/** Quality warnings. They don't block sending. */
function QualityLines({ file: { quality, durationS, bytes } }: { file: DraftFile }) {
  const text = useText()
  if (quality === null)
    return (
      <p className="text-sm text-muted">
        {durationS === null
          ? text('active.check.size', { size: kB(bytes) })
          : text('active.check.length', { seconds: Math.round(durationS), size: kB(bytes) })}
      </p>
    )
  return (
    <ul className="flex flex-col gap-1 text-sm">
      <Line
        isGood={quality.isSharp}
        id={quality.isSharp ? 'active.check.sharp' : 'active.check.blurred'}
      />
      <Line isGood={quality.light === 'good'} id={LIGHT[quality.light]} />
    </ul>
  )
}

const LIGHT = {
  good: 'active.check.bright',
  dark: 'active.check.dark',
  glaring: 'active.check.glaring',
} as const

function Line({ isGood, id }: { isGood: boolean; id: TextId }) {
  const text = useText()
  return (
    <li className={`flex items-center gap-2 ${isGood ? '' : 'text-warn'}`}>
      {isGood ? (
        <CircleCheck size={18} aria-hidden className="shrink-0 text-brand" />
      ) : (
        <TriangleAlert size={18} aria-hidden className="shrink-0" />
      )}
      {text(id)}
    </li>
  )
}

export const kB = (bytes: number) => Math.max(1, Math.round(bytes / 1000))
