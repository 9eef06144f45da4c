/**
 * Claims, renews and releases lanes in the name of one process. When the database is unavailable, leases expire, and
 * another process can claim the lanes.
 */
import { randomBytes } from 'node:crypto'
import { batcher } from '../kit/batch.ts'
import type { Mode } from '../kit/endpoint.ts'
import type { Background } from '../kit/job.ts'
import type { HeldLane, HeldLanes } from './held-lanes.ts'
import { isHeld, type LaneEvent } from './lane.ts'
import {
  claimLanes,
  type ClaimedLane,
  LANES_TOGETHER,
  type Release,
  releaseLanes,
  renewLanes,
} from './lanes.ts'

const LEASE_MS = 2000
export const RENEW_MS = 500

export function openLeases(
  { db, clock, log }: Background,
  lanes: HeldLanes,
  { mode }: { mode: Mode | undefined },
) {
  const holder = `deliverer-${process.pid}-${randomBytes(6).toString('hex')}`
  const releases = batcher({ name: 'release_lanes', run: releaseTogether, sizeMax: LANES_TOGETHER })
  const leaseEnd = () => new Date(clock.now().getTime() + LEASE_MS)

  /** Claims the lanes that have been due longest. */
  async function claim(limit: number): Promise<{ claimed: ClaimedLane[]; until: Date }> {
    const until = leaseEnd()
    const claimed = await claimLanes(db, { holder, now: clock.now(), until, limit, mode })
    return { claimed, until }
  }

  /** Renews the leases that expire soon, and returns what became of them. */
  async function renew(): Promise<{ lane: HeldLane; event: LaneEvent }[]> {
    const soon = clock.now().getTime() + LEASE_MS - RENEW_MS / 2
    const held = [...lanes].filter(({ state }) => isHeld(state) && state.until.getTime() < soon)
    if (held.length === 0) return []
    const until = leaseEnd()
    const ids = held.map(({ id }) => id)
    const ours = await renewLanes(db, { holder, until, ids }).catch(logFailure)
    if (ours === undefined) return []
    return held.flatMap((lane) => {
      if (ours.get(lane.id) === 'renewed') return { lane, event: { type: 'lease_renewed', until } }
      return ours.has(lane.id) ? [] : { lane, event: { type: 'lease_lost' } }
    })
  }

  async function releaseTogether(leaving: Release[]): Promise<boolean[]> {
    const released = releaseLanes(db, { holder, now: clock.now(), lanes: leaving })
    const staying = await released.catch(logFailure)
    return leaving.map(({ id }) => staying?.has(id) ?? false)
  }

  function logFailure(error: unknown): undefined {
    log.warn({ error, lanes: lanes.size }, 'could not renew or release lanes')
  }

  return {
    holder,
    claim,
    renew,
    /** Returns whether the lane stays held because more is due. */
    release: releases.add,
    logFailure,
  }
}
