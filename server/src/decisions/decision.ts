/**
 * A kind of decision that an operator makes about money or a person, declared once. The desk shows its effect before it
 * is made; the desk and the shell carry it out in the same way, through `decide`.
 */
import type { z } from 'zod'
import type { OperatorBackground } from '../kit/operator-background.ts'
import type { Right, Role } from '../kit/rights.ts'

/** Who decides. */
export interface By {
  id: string
  role: Role
}

/** What a decision will do, shown before it is made. */
export interface Effect {
  /** The money that it moves, in all; null if it moves none. Limits for two persons apply to it. */
  amount_cents: number | null
  /** The ledger's lines, in words: `protection fund → worker`. */
  lines: { from: string; to: string; amount_cents: number }[]
  /** Who is told what, and how. */
  tells: { who: 'worker' | 'agent'; id: string; what: string }[]
  /** What else changes, one sentence each. */
  changes: string[]
  /** How it can be undone; null if it can't. */
  undo: string | null
}

export interface DecisionGiven<Input> {
  subject: string
  input: Input
  /** The operator's reason, which is sent to the person affected where the kind says so. */
  reason: string
}

export interface CarryOutGiven<Input> extends DecisionGiven<Input> {
  decisionId: string
  /** The id of the operator who proposed it. */
  operator: string
}

/** A decision that can be made: its kind, its subject and its input. */
export interface Undoing {
  kind: string
  subject: string
  input: Record<string, unknown>
}

export interface DecisionKind<Schema extends z.ZodType = z.ZodType, Result = unknown> {
  /** `noun.verb`, such as `appeal.rule`. */
  kind: string
  right: Right
  title: string
  /** What the operator chooses, besides the reason. */
  input: Schema
  /** The logical shard whose rows it changes, if that is not the shard of its subject. */
  home?(given: { subject: string; input: z.output<Schema> }): number | 'global'
  preview(
    background: OperatorBackground,
    given: Omit<DecisionGiven<z.output<Schema>>, 'reason'>,
  ): Promise<Effect>
  /** Does it. It may be called again after a crash, so the operation refuses what is already done. */
  carryOut(background: OperatorBackground, given: CarryOutGiven<z.output<Schema>>): Promise<Result>
  /**
   * What came of it, if an earlier call of `carryOut` succeeded and its process died before recording that. A kind
   * without it can be carried out twice with the same result.
   */
  findDone?(
    background: OperatorBackground,
    given: CarryOutGiven<z.output<Schema>> & { since: Date },
  ): Promise<Result | undefined>
  /** The decision that undoes it; undefined if there is none. */
  undo?(given: { subject: string; input: z.output<Schema> }): Undoing | undefined
}

export const decision = <Schema extends z.ZodType, Result>(
  declared: DecisionKind<Schema, Result>,
) => declared

// A kind of any types: its own were checked where it was declared.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyDecisionKind = DecisionKind<any, any>

/** A decision that moves no money and tells nobody. */
export const NO_EFFECT: Effect = {
  amount_cents: null,
  lines: [],
  tells: [],
  changes: [],
  undo: null,
}
