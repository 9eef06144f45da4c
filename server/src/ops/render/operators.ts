import { plain } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { operatorAdd } from '../operator-add.ts'
import type { operatorLink } from '../operator-link.ts'
import type { operatorRole } from '../operator-role.ts'
import type { operators } from '../operators.ts'
import { minute } from './text.ts'

type Row = DataOf<typeof operatorRole>

export const renderOperators = ({ operators: rows }: DataOf<typeof operators>): string[] =>
  rows.length === 0
    ? ['There are no operators: add the first one with `ops operator add EMAIL NAME admin`.']
    : rows.map(lineOf)

export const renderOperator = (row: Row): string[] => [lineOf(row)]

export const renderOperatorLink = ({
  purpose,
  link,
  hours,
}: DataOf<typeof operatorAdd> | DataOf<typeof operatorLink>): string[] => [
  purpose === 'sign_in'
    ? 'This link signs in:'
    : 'Send this link to the operator over a channel that nobody else reads. It creates a passkey:',
  link,
  `It works once, for ${hours} hours.`,
]

const lineOf = ({ email, name, role, status, seen_at }: Row): string =>
  [
    plain(email).padEnd(32),
    role.padEnd(8),
    status.padEnd(9),
    plain(name),
    seen_at === null ? '' : ` (signed in, last seen ${minute(new Date(seen_at))})`,
  ].join(' ')
