import { plain } from '../../kit/words.ts'
import type { actions } from '../actions.ts'
import type { DataOf } from '../command.ts'
import { minute } from './text.ts'

export const renderActions = ({ actions: rows }: DataOf<typeof actions>): string[] =>
  rows.length === 0
    ? ['No actions are recorded.']
    : rows.flatMap(({ at, operator, command, words, outcome, answer }) => [
        `${minute(at)}  ${plain(operator)}  ` + `ops ${[command, ...words].map(plain).join(' ')}`,
        `    ${outcome ?? 'not finished'}${answer === null ? '' : `: ${plain(answer)}`}`,
      ])
