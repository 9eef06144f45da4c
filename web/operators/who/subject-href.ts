/** Rows about the desk itself rather than about a record. */
const WITHOUT_PAGE = ['search', 'audit_log', 'command']
const LISTED: Record<string, string> = { switch: '/switches', limit: '/limits' }

/** The address of what a row of the audit log is about; none if it has no page. */
export function subjectHref(action: string, subject: string): string | undefined {
  const [kind = ''] = action.split('.')
  if (subject.startsWith('opr_')) return `/team/${encodeURIComponent(subject)}`
  if (subject.startsWith('opd_')) return `/decisions/${encodeURIComponent(subject)}`
  if (LISTED[kind] !== undefined) return LISTED[kind]
  // A search for an id is about that record; another one isn't.
  if (WITHOUT_PAGE.includes(kind) && !/^[a-z]+_[0-9a-z]{20,}$/.test(subject)) return undefined
  return `/case/${encodeURIComponent(subject)}`
}
