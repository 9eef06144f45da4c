/**
 * How often each worker is right, estimated from nothing but who agreed with whom: the one-coin model of Dawid and
 * Skene, fitted by expectation and maximisation. A worker is right with their accuracy and else picks any of the
 * other answers; the truth of each task is unknown, and as likely as the votes for it make it. Pure.
 */
import { clampAccuracy } from './consensus.ts'

export interface Judged {
  /** How many answers there could be. */
  classes: number
  votes: { workerId: string; category: string }[]
}

export interface Fitted {
  accuracy: number
  votes: number
}

/** Before the first vote a worker is taken to have been right 8 times of 10. */
const PRIOR = { right: 8, of: 10 }
const ROUNDS_MAX = 50
const STILL = 1e-6

/** Tasks that one worker alone has answered say nothing, and are left out. */
export function fitAccuracies(tasks: Judged[]): Map<string, Fitted> {
  const compared = tasks.filter(({ votes }) => votes.length > 1)
  const fitted = new Map<string, Fitted>()
  for (const { votes } of compared)
    for (const { workerId } of votes) {
      const one = fitted.get(workerId) ?? { accuracy: PRIOR.right / PRIOR.of, votes: 0 }
      fitted.set(workerId, { ...one, votes: one.votes + 1 })
    }

  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const right = new Map<string, number>()
    for (const task of compared) {
      const chances = chancesOf(task, fitted)
      for (const { workerId, category } of task.votes)
        right.set(workerId, (right.get(workerId) ?? 0) + chances.get(category)!)
    }
    let moved = 0
    for (const [workerId, one] of fitted) {
      // Kept from falling below a guess: else all could be turned round, every truth a lie and every liar honest.
      const accuracy = clampAccuracy(
        (PRIOR.right + (right.get(workerId) ?? 0)) / (PRIOR.of + one.votes),
      )
      moved = Math.max(moved, Math.abs(accuracy - one.accuracy))
      one.accuracy = accuracy
    }
    if (moved < STILL) break
  }
  return fitted
}

/** How likely each of the given answers is the true one. */
function chancesOf({ classes, votes }: Judged, fitted: Map<string, Fitted>): Map<string, number> {
  const scores = new Map<string, number>()
  for (const { workerId, category } of votes) {
    const { accuracy } = fitted.get(workerId)!
    const weight = Math.log(((classes - 1) * accuracy) / (1 - accuracy))
    scores.set(category, (scores.get(category) ?? 0) + weight)
  }
  const best = Math.max(...scores.values())
  let all = Math.max(0, classes - scores.size) * Math.exp(-best)
  for (const score of scores.values()) all += Math.exp(score - best)
  for (const [category, score] of scores) scores.set(category, Math.exp(score - best) / all)
  return scores
}
