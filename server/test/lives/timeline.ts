/** What clients felt, by 100 ms: acknowledgements, the slowest of them, and the faults that were injected. */

const BUCKET_MS = 100

export interface Mark {
  ms: number
  label: string
}

export interface Bucket {
  /** Start of the bucket, in milliseconds since the load started. */
  ms: number
  acknowledged: number
  /** The longest time from a request's first attempt to its acknowledgement in this bucket. */
  slowestMs: number
}

export interface Series {
  bucketMs: number
  buckets: Bucket[]
  marks: Mark[]
}

export type Timeline = ReturnType<typeof openTimeline>

export function openTimeline() {
  const startedMs = performance.now()
  const times: number[] = []
  const latencies: number[] = []
  const marks: Mark[] = []
  let endedMs: number | undefined
  const nowMs = () => endedMs ?? performance.now() - startedMs

  return {
    nowMs,
    acknowledge(latencyMs: number): void {
      times.push(nowMs())
      latencies.push(latencyMs)
    },
    /** Marks a fault in the pictures; returns when it happened. */
    mark(label: string): number {
      const ms = nowMs()
      marks.push({ ms, label })
      return ms
    },
    /** The load has stopped: the silence that follows is no fault. */
    end(): void {
      endedMs = nowMs()
    },
    /** The longest time without an acknowledgement between two moments. */
    longestGapMs(fromMs = 0, toMs = nowMs()): number {
      let [last, longest] = [fromMs, 0]
      for (const ms of times) {
        if (ms <= fromMs) continue
        longest = Math.max(longest, Math.min(ms, toMs) - last)
        last = ms
        if (ms >= toMs) break
      }
      return last < toMs ? Math.max(longest, toMs - last) : longest
    },
    /** The latency below which this share of all acknowledgements stayed. */
    latencyMs(share: number): number {
      const sorted = latencies.toSorted((a, b) => a - b)
      return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
    },
    series(): Series {
      const buckets = Array.from({ length: Math.ceil(nowMs() / BUCKET_MS) }, (_, i) => ({
        ms: i * BUCKET_MS,
        acknowledged: 0,
        slowestMs: 0,
      }))
      times.forEach((ms, i) => {
        const bucket = buckets[Math.floor(ms / BUCKET_MS)]!
        bucket.acknowledged += 1
        bucket.slowestMs = Math.max(bucket.slowestMs, Math.round(latencies[i]!))
      })
      return { bucketMs: BUCKET_MS, buckets, marks: [...marks] }
    },
  }
}
