/** List the rows behind a figure of a board, newest first. */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import {
  BOARD_NAMES,
  BoardCell,
  BoardColumn,
  type BoardRow,
  readRows,
  sinceOf,
  WINDOWS,
} from './boards/board.ts'
import { BOARDS } from './boards/boards.ts'
import { figureNotFound } from './errors.ts'

const Cursor = z
  .string()
  .max(300)
  .transform((cursor, context): Pick<BoardRow, 'at' | 'id'> => {
    const read = /^(\S+Z) (.+)$/.exec(Buffer.from(cursor, 'base64url').toString())
    const at = new Date(read?.[1] ?? '')
    if (read === null || Number.isNaN(at.getTime())) {
      context.addIssue('must be the next_cursor of a page')
      return z.NEVER
    }
    return { at, id: read[2]! }
  })

export const listBoardRows = deskOperation({
  method: 'GET',
  path: '/boards/:name/rows/:figure',
  name: 'listBoardRows',
  right: 'view',
  summary: 'List the rows behind a figure',
  params: z.object({ name: z.enum(BOARD_NAMES), figure: z.string().max(60) }),
  query: z.object({
    window: z.enum(WINDOWS).default('day'),
    cursor: Cursor.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  }),
  success: {
    status: 200,
    body: z.object({
      title: z.string(),
      definition: z.string(),
      makes: z
        .object({ by: z.enum(['count', 'sum', 'share', 'p50', 'p95']), column: z.int().nullable() })
        .describe('How the rows make up the figure: their number, or this column of them'),
      columns: z.array(BoardColumn),
      rows: z.array(z.object({ at: z.iso.datetime(), cells: z.array(BoardCell) })),
      next_cursor: z.string().nullable(),
    }),
  },
  errors: [figureNotFound],
  async handler({ params, query, background, now }) {
    const board = BOARDS[params.name]
    const figure = board.figures.find(({ name }) => name === params.figure)
    if (figure?.rows === undefined) throw figureNotFound()
    const window = board.hasWindows ? query.window : 'day'
    const { limit } = query
    const rows = await readRows(
      background,
      figure.rows,
      { now, window, since: sinceOf(now, window) },
      { after: query.cursor, limit: limit + 1 },
    )
    const page = rows.slice(0, limit)
    return {
      title: figure.title,
      definition: figure.definition,
      makes: { column: null, ...figure.rows.makes },
      columns: [...figure.rows.columns],
      rows: page.map(({ at, cells }) => ({ at: at.toISOString(), cells })),
      next_cursor: rows.length > limit ? cursorOf(page.at(-1)!) : null,
    }
  },
})

const cursorOf = ({ at, id }: BoardRow) =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')
