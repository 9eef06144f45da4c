/** The address of a record's page. */
export function addressOf({ id, kind }: { id: string; kind: string }, queue?: string): string {
  if (kind === 'decision') return `/decisions/${encodeURIComponent(id)}`
  const from = queue === undefined ? '' : `?queue=${encodeURIComponent(queue)}`
  return `/case/${encodeURIComponent(id)}${from}`
}
