/** Show a board: its figures and tables, from a copy that is at most a minute old. */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { named } from '../kit/named.ts'
import {
  type Board,
  BOARD_NAMES,
  BoardCell,
  BoardColumn,
  type Figure,
  sinceOf,
  WINDOW_WORDS,
  WINDOWS,
} from './boards/board.ts'
import { BOARDS } from './boards/boards.ts'
import { copyOf } from './boards/copies.ts'

const BoardFigure = named(
  'BoardFigure',
  z.object({
    name: z.string(),
    title: z.string(),
    value: z
      .number()
      .nullable()
      .describe('Null if it can’t be measured, or if there is nothing to measure'),
    as: z.enum(['cents', 'count', 'seconds', 'share']),
    definition: z.string().describe('What the figure is, in one sentence'),
    link: z.string().nullable().describe('The address below /desk of the rows behind it'),
    state: z
      .enum(['ok', 'warn', 'bad'])
      .nullable()
      .describe('Null: no value is better than another'),
  }),
)

const BoardTable = named(
  'BoardTable',
  z.object({
    title: z.string(),
    definition: z.string(),
    columns: z.array(BoardColumn),
    rows: z.array(z.array(BoardCell)),
  }),
)

export const showBoard = deskOperation({
  method: 'GET',
  path: '/boards/:name',
  name: 'showBoard',
  right: 'view',
  summary: 'Show a board',
  params: z.object({ name: z.enum(BOARD_NAMES) }),
  query: z.object({ window: z.enum(WINDOWS).default('day') }),
  success: {
    status: 200,
    body: z.object({
      name: z.enum(BOARD_NAMES),
      title: z.string(),
      at: z.iso.datetime().describe('When the figures were read'),
      window: z.enum(WINDOWS).nullable().describe('Null if the board has no windows'),
      window_words: z.string().nullable(),
      figures: z.array(BoardFigure),
      tables: z.array(BoardTable),
    }),
  },
  errors: [],
  async handler({ params: { name }, query, background }) {
    const board = BOARDS[name]
    const window = board.hasWindows ? query.window : 'day'
    const { at, data } = await copyOf(background, `${name} ${window}`, (now) =>
      board.read(background, { now, window, since: sinceOf(now, window) }),
    )
    return {
      name,
      title: board.title,
      at: at.toISOString(),
      window: board.hasWindows ? window : null,
      window_words: board.hasWindows ? WINDOW_WORDS[window] : null,
      figures: board.figures.map((figure) => showFigure(figure, data, { name, board, window })),
      tables: board.tables.map(({ title, definition, columns, rows }) => ({
        title,
        definition,
        columns: [...columns],
        rows: rows(data),
      })),
    }
  },
})

function showFigure<Data>(
  figure: Figure<Data>,
  data: Data,
  { name, board, window }: { name: string; board: Board<Data>; window: string },
) {
  const value = figure.value(data)
  const rows = `/boards/${name}/${figure.name}${board.hasWindows ? `?window=${window}` : ''}`
  return {
    name: figure.name,
    title: figure.title,
    value,
    as: figure.as,
    definition: figure.definition,
    link: figure.link ?? (figure.rows === undefined ? null : rows),
    state: value === null || figure.state === undefined ? null : figure.state(value, data),
  }
}
