import { section } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { secrets } from '../secrets.ts'

export const renderSecrets = (data: DataOf<typeof secrets>): string[] => [
  ...data.secrets.flatMap(({ setting, keys, old_until }) => [
    setting,
    ...keys.map(({ fingerprint, is_current, needed_by }) => {
      const role = is_current ? 'current' : 'replaced'
      const until = is_current || old_until === null ? '' : `  needed until ${old_until}`
      return `  ${fingerprint}  ${role}${needed_by === null ? '' : `  ${needed_by}`}${until}`
    }),
  ]),
  ...section(
    'Connections to the database',
    data.logins.map(({ name, connections }) => `${name}  ${connections}`),
  ),
  '',
  'How to replace each: docs/secrets.md',
]
