/** The phone's camera and microphone: live preview, photos, recordings. */
import { type RefObject, useEffect, useRef, useState } from 'react'

export type CameraState = 'starting' | 'on' | 'denied' | 'missing'
type Facing = 'environment' | 'user'

interface Wanted {
  picture: boolean
  sound: boolean
}

export interface Camera {
  state: CameraState
  video: RefObject<HTMLVideoElement | null>
  stream: MediaStream | null
  /** Switches between front and back camera. */
  turn(): void
  /** Tries again, for example after the permissions were changed. */
  retry(): void
}

/** Video is limited to 720 lines; photos use the camera's best resolution. */
const PHOTO = { width: { ideal: 2560 }, height: { ideal: 1920 } }
const VIDEO = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { max: 30 } }

export function useCamera({ picture, sound }: Wanted): Camera {
  const video = useRef<HTMLVideoElement>(null)
  const [facing, setFacing] = useState<Facing>('environment')
  const [attempt, setAttempt] = useState(0)
  const [stream, setStream] = useState<MediaStream | null>(null)
  const [state, setState] = useState<CameraState>('starting')

  useEffect(() => {
    let isGone = false
    let own: MediaStream | undefined
    setState('starting')
    start({ picture, sound }, facing).then(
      (started) => {
        own = started
        if (isGone) return stop(started)
        setStream(started)
        setState('on')
        if (video.current) video.current.srcObject = started
      },
      (error: unknown) => {
        if (!isGone) setState(isDenied(error) ? 'denied' : 'missing')
      },
    )
    return () => {
      isGone = true
      if (own) stop(own)
      setStream(null)
    }
  }, [picture, sound, facing, attempt])

  return {
    state,
    video,
    stream,
    turn: () => setFacing((now) => (now === 'environment' ? 'user' : 'environment')),
    retry: () => setAttempt((count) => count + 1),
  }
}

async function start({ picture, sound }: Wanted, facing: Facing): Promise<MediaStream> {
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices }
  if (mediaDevices === undefined) throw new Error('there is no camera')
  return mediaDevices.getUserMedia({
    video: picture && { facingMode: facing, ...(sound ? VIDEO : PHOTO) },
    audio: sound,
  })
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

const isDenied = (error: unknown) =>
  error instanceof DOMException && ['NotAllowedError', 'SecurityError'].includes(error.name)

/** Formats that the server accepts, the most common first. */
const FORMS = {
  video: ['video/mp4;codecs=avc1.42E01E,mp4a.40.2', 'video/mp4', 'video/webm'],
  audio: ['audio/mp4', 'audio/webm', 'audio/ogg'],
}
const VIDEO_BITS = 1_000_000
const AUDIO_BITS = 64_000
export const RECORDING_MAX_S = 60

export interface Recording {
  blob: Blob
  content_type: string
  durationS: number
}

export interface Recorder {
  state: 'idle' | 'recording' | 'paused'
  seconds: number
  start(): void
  pause(): void
  resume(): void
  stop(): void
}

const TICK_MS = 200

export function useRecorder(
  stream: MediaStream | null,
  { kind, onDone }: { kind: 'video' | 'audio'; onDone(recording: Recording): void },
): Recorder {
  const recorder = useRef<MediaRecorder | null>(null)
  const recordedMs = useRef(0)
  const [state, setState] = useState<Recorder['state']>('idle')
  const [seconds, setSeconds] = useState(0)

  useEffect(() => {
    if (state !== 'recording') return
    const timer = setInterval(() => {
      recordedMs.current += TICK_MS
      setSeconds(recordedMs.current / 1000)
      if (recordedMs.current >= RECORDING_MAX_S * 1000) recorder.current?.stop()
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [state])

  return {
    state,
    seconds,
    start() {
      if (stream === null) return
      const form = FORMS[kind].find((type) => MediaRecorder.isTypeSupported(type))
      const made = new MediaRecorder(stream, {
        ...(form === undefined ? {} : { mimeType: form }),
        ...(kind === 'video' ? { videoBitsPerSecond: VIDEO_BITS } : {}),
        audioBitsPerSecond: AUDIO_BITS,
      })
      const pieces: Blob[] = []
      made.addEventListener('dataavailable', ({ data }) => pieces.push(data))
      made.addEventListener('stop', () => {
        const content_type = made.mimeType.split(';')[0]!.toLowerCase()
        setState('idle')
        onDone({
          blob: new Blob(pieces, { type: content_type }),
          content_type,
          durationS: recordedMs.current / 1000,
        })
      })
      recordedMs.current = 0
      setSeconds(0)
      recorder.current = made
      made.start(1000)
      setState('recording')
    },
    pause() {
      recorder.current?.pause()
      setState('paused')
    },
    resume() {
      recorder.current?.resume()
      setState('recording')
    },
    stop: () => recorder.current?.stop(),
  }
}
