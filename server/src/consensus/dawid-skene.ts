/**
 * Estimates each worker's accuracy only from their agreement with others, using the one-coin Dawid-Skene model, fitted
 * by expectation-maximization. A worker is right with the probability `accuracy`, and otherwise picks one of the other
 * answers at random. The truth of each task is unknown; its probability follows from the votes. Pure function.
 */
import { clampAccuracy } from './consensus.ts'

export interface Judged {
  /** The number of possible answers. */
  classes: number
  votes: { workerId: string; category: string }[]
}

export interface Fitted {
  accuracy: number
  votes: number
}

/** The prior: a worker starts as if they had been right 8 times out of 10. */
const PRIOR = { right: 8, of: 10 }
const ROUNDS_MAX = 50
const STILL = 1e-6

/** Ignores tasks that only one worker has answered, because they carry no information. */
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
      // Accuracy must not fall below chance. Otherwise the model has a mirrored solution in which all answers flip.
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

/** The probability of each given answer being the true one. */
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
