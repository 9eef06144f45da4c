/** The full-screen camera: a live picture, what to photograph, the location, and always a way without the camera. */
import {
  CameraOff,
  ImagePlus,
  MapPin,
  Mic,
  Pause,
  Play,
  Square,
  SwitchCamera,
  X,
} from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Button as AriaButton } from 'react-aria-components/Button'
import {
  type Camera,
  type Recording,
  RECORDING_MAX_S,
  useCamera,
  useRecorder,
} from '../phone/camera.ts'
import type { MediaKind } from '../phone/outbox-rules.ts'
import { type Photo, photoOf, photoOfFile } from '../phone/photo.ts'
import type { Where } from '../phone/position.ts'
import { type Text, useText } from '../text/use-text.tsx'
import { applyTheme } from '../../shared/theme.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/card.tsx'

export interface Taken {
  kind: MediaKind
  bytes: ArrayBuffer
  content_type: string
  source: 'camera' | 'file'
  quality: Photo['quality'] | null
  durationS: number | null
}

interface Props {
  kind: MediaKind
  /** What the photo should show. */
  guide: string
  where: Where
  /** Distance to the task's place, if both positions are known. */
  distanceKm: number | null
  /** For example `2 of 5`. */
  count?: string
  onTaken(taken: Taken): Promise<void>
  onClose(): void
}

export function Viewfinder(props: Props) {
  const { kind, guide, onTaken, onClose, count } = props
  const text = useText()
  const camera = useCamera({ picture: kind !== 'audio', sound: kind !== 'photo' })
  const [problem, setProblem] = useState<string>()
  useEscape(onClose)
  useDark()

  const takeFile = async (file: File) => {
    try {
      await onTaken(await fromFile(file, kind))
    } catch {
      setProblem(text('active.camera.notAPicture'))
    }
  }
  return (
    <main id="content" className="fixed inset-0 z-40 flex h-dvh flex-col bg-bg text-text">
      <h1 className="sr-only">{text(`active.camera.${kind}`)}</h1>
      <div className="flex items-center justify-between gap-2 p-2">
        <IconButton label={text('shell.close')} onPress={onClose}>
          <X aria-hidden />
        </IconButton>
        <WhereTag {...props} />
        {kind === 'audio' ? (
          <span className="size-12" />
        ) : (
          <IconButton
            label={text('active.camera.turn')}
            onPress={camera.turn}
            isDisabled={camera.state !== 'on'}
          >
            <SwitchCamera aria-hidden />
          </IconButton>
        )}
      </div>
      <div className="relative flex min-h-0 flex-1 items-center justify-center overflow-hidden">
        <Picture camera={camera} kind={kind} />
        {camera.state === 'on' && (
          <p
            dir="auto"
            className="absolute inset-x-4 bottom-4 rounded-field bg-surface p-3 text-center text-base font-semibold"
          >
            {guide}
          </p>
        )}
      </div>
      {problem !== undefined && (
        <p role="alert" className="px-4 pt-3 text-center text-sm font-semibold text-danger">
          {problem}
        </p>
      )}
      <div className="grid grid-cols-3 items-center gap-2 px-4 py-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <FilePicker kind={kind} onFile={takeFile} />
        {kind === 'photo' ? (
          <Shutter camera={camera} onTaken={onTaken} />
        ) : (
          <RecordButton camera={camera} kind={kind} onTaken={onTaken} />
        )}
        <span className="text-center text-sm text-muted">{count}</span>
      </div>
    </main>
  )
}

function Picture({ camera, kind }: { camera: Camera; kind: MediaKind }) {
  const text = useText()
  if (camera.state === 'denied' || camera.state === 'missing')
    return (
      <div role="alert" className="flex max-w-90 flex-col items-center gap-4 p-6 text-center">
        <CameraOff size={48} aria-hidden className="text-muted" />
        <h2 className="text-lg font-bold">
          {text(camera.state === 'denied' ? 'active.camera.denied' : 'active.camera.missing')}
        </h2>
        <p className="text-muted">
          {text(camera.state === 'denied' ? 'active.camera.deniedHow' : 'active.camera.missingHow')}
        </p>
        <Button look="secondary" onPress={camera.retry}>
          {text('active.camera.again')}
        </Button>
      </div>
    )
  if (kind === 'audio') return <Mic size={96} aria-hidden className="text-brand" />
  return (
    <>
      <video
        ref={camera.video}
        autoPlay
        muted
        playsInline
        aria-label={text('active.camera.live')}
        className="absolute inset-0 size-full object-cover"
      />
      <Frame />
    </>
  )
}

function Frame() {
  const corner = 'absolute size-8 border-on-brand-soft'
  return (
    <div aria-hidden className="pointer-events-none absolute inset-x-8 top-10 bottom-28">
      <span className={`${corner} start-0 top-0 rounded-ss-field border-s-3 border-t-3`} />
      <span className={`${corner} end-0 top-0 rounded-se-field border-e-3 border-t-3`} />
      <span className={`${corner} start-0 bottom-0 rounded-es-field border-s-3 border-b-3`} />
      <span className={`${corner} end-0 bottom-0 rounded-ee-field border-e-3 border-b-3`} />
    </div>
  )
}

function WhereTag({ where, distanceKm }: Pick<Props, 'where' | 'distanceKm'>) {
  const text = useText()
  return (
    <Tag icon={<MapPin size={16} aria-hidden />} tone={where.state === 'known' ? 'good' : 'plain'}>
      {whereText(where, distanceKm, text)}
    </Tag>
  )
}

export function whereText({ fix, state }: Where, distanceKm: number | null, text: Text): string {
  if (state === 'denied') return text('active.where.denied')
  if (fix === null) return text(state === 'asking' ? 'active.where.asking' : 'active.where.unknown')
  const accuracy = text.distance(fix.accuracyM / 1000)
  return distanceKm === null
    ? text('active.where.known', { accuracy })
    : text('active.where.distance', { accuracy, distance: text.distance(distanceKm) })
}

function FilePicker({ kind, onFile }: { kind: MediaKind; onFile(file: File): Promise<void> }) {
  const text = useText()
  return (
    <FileTrigger
      acceptedFileTypes={[`${kind === 'photo' ? 'image' : kind}/*`]}
      {...(kind === 'audio' ? {} : { defaultCamera: 'environment' as const })}
      onSelect={(files) => {
        const [file] = files ?? []
        if (file) void onFile(file)
      }}
    >
      <AriaButton className="flex min-h-12 flex-col items-center justify-center gap-1 rounded-field text-xs data-[pressed]:bg-raised">
        <ImagePlus size={22} aria-hidden />
        {text('active.camera.file')}
      </AriaButton>
    </FileTrigger>
  )
}

async function fromFile(file: File, kind: MediaKind): Promise<Taken> {
  const source = 'file' as const
  if (kind === 'photo') return { kind, source, durationS: null, ...(await photoOfFile(file)) }
  const bytes = await file.arrayBuffer()
  return { kind, source, bytes, content_type: file.type, quality: null, durationS: null }
}

const ROUND =
  'mx-auto flex size-18 items-center justify-center rounded-full border-4 border-text disabled:opacity-60 data-[pressed]:scale-95'

function Shutter({ camera, onTaken }: { camera: Camera; onTaken: Props['onTaken'] }) {
  const text = useText()
  const [isBusy, setIsBusy] = useState(false)
  const shoot = async () => {
    const video = camera.video.current
    if (video === null) return
    setIsBusy(true)
    try {
      // If the camera isn't ready yet, wait for its first frame instead of asking to press again.
      if (video.videoWidth === 0) await new Promise((resolve) => (video.onloadeddata = resolve))
      const photo = await photoOf(video)
      await onTaken({ kind: 'photo', source: 'camera', durationS: null, ...photo })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <AriaButton
      aria-label={text('active.camera.shutter')}
      isDisabled={camera.state !== 'on' || isBusy}
      onPress={() => void shoot()}
      className={ROUND}
    >
      <span className="size-14 rounded-full bg-text" />
    </AriaButton>
  )
}

function RecordButton({
  camera,
  kind,
  onTaken,
}: {
  camera: Camera
  kind: 'video' | 'audio'
  onTaken: Props['onTaken']
}) {
  const text = useText()
  const done = async ({ blob, content_type, durationS }: Recording) =>
    onTaken({
      kind,
      source: 'camera',
      bytes: await blob.arrayBuffer(),
      content_type,
      quality: null,
      durationS,
    })
  const recorder = useRecorder(camera.stream, { kind, onDone: (made) => void done(made) })
  const seconds = Math.floor(recorder.seconds)
  if (recorder.state === 'idle')
    return (
      <AriaButton
        aria-label={text('active.camera.record')}
        isDisabled={camera.state !== 'on'}
        onPress={recorder.start}
        className={ROUND}
      >
        <span className="size-14 rounded-full bg-danger" />
      </AriaButton>
    )
  return (
    <div className="flex items-center justify-center gap-2">
      <IconButton
        label={text(recorder.state === 'paused' ? 'active.camera.resume' : 'active.camera.pause')}
        onPress={recorder.state === 'paused' ? recorder.resume : recorder.pause}
      >
        {recorder.state === 'paused' ? <Play aria-hidden /> : <Pause aria-hidden />}
      </IconButton>
      <AriaButton
        aria-label={text('active.camera.stop', { seconds })}
        onPress={recorder.stop}
        className="relative"
      >
        <Ring share={recorder.seconds / RECORDING_MAX_S}>
          <Square size={18} aria-hidden className="fill-current" />
          <span className="text-xs">{text('active.camera.seconds', { seconds })}</span>
        </Ring>
      </AriaButton>
    </div>
  )
}

const RADIUS = 32
const ROUND_LENGTH = 2 * Math.PI * RADIUS

/** How much of the recording time is used. */
function Ring({ share, children }: { share: number; children: ReactNode }) {
  return (
    <span className="relative flex size-18 flex-col items-center justify-center">
      <svg viewBox="0 0 72 72" aria-hidden className="absolute inset-0 -rotate-90">
        <circle cx="36" cy="36" r={RADIUS} fill="none" className="stroke-control" strokeWidth="4" />
        <circle
          cx="36"
          cy="36"
          r={RADIUS}
          fill="none"
          className="stroke-danger"
          strokeWidth="4"
          strokeDasharray={`${ROUND_LENGTH * Math.min(1, share)} ${ROUND_LENGTH}`}
        />
      </svg>
      {children}
    </span>
  )
}

function useEscape(onEscape: () => void): void {
  useEffect(() => {
    const listen = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') onEscape()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [onEscape])
}

/** The camera always uses the dark theme, since pictures are easier to judge on a dark background. */
function useDark(): void {
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = 'dark'
    return applyTheme
  }, [])
}
