/** The boards by name. */
import type { Board, BoardName } from './board.ts'
import { health } from './health.ts'
import { marketplace } from './marketplace.ts'
import { money } from './money.ts'

/** A board of any data: its own type was checked where it was declared. */
// oxlint-disable-next-line typescript/no-explicit-any
export const BOARDS: Record<BoardName, Board<any>> = { money, marketplace, health }
