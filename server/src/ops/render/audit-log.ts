import { plain } from '../../kit/words.ts'
import type { auditLogExport } from '../audit-log-export.ts'
import type { auditLogVerify } from '../audit-log-verify.ts'
import type { auditLog } from '../audit-log.ts'
import type { DataOf } from '../command.ts'
import { minute } from './text.ts'

export const renderAuditLog = ({ rows }: DataOf<typeof auditLog>): string[] =>
  rows.length === 0
    ? ['The audit log has no such rows.']
    : rows.flatMap(({ seq, at, operator, action, subject, detail, words, are_words_erased }) => [
        `${seq}  ${minute(new Date(at))}  ${plain(operator.name ?? operator.id)}  ${action}  ${plain(subject)}`,
        `    ${plain(JSON.stringify(detail))}`,
        ...(words === null ? [] : [`    ${plain(words)}`]),
        ...(are_words_erased ? ['    (the words were erased)'] : []),
      ])

export const renderAuditLogVerify = ({
  rows,
  head,
  first_wrong,
}: DataOf<typeof auditLogVerify>): string[] =>
  first_wrong === null
    ? [
        `The audit log is whole: ${rows} rows.`,
        ...(head === null ? [] : [`Head: ${head.seq}:${head.hash}`]),
      ]
    : [`Row ${first_wrong.seq}: ${first_wrong.problem}. The ${rows} rows before it are whole.`]

export const renderAuditLogExport = ({ file, rows }: DataOf<typeof auditLogExport>): string[] => [
  `Wrote ${rows} rows to ${plain(file)}.`,
]
