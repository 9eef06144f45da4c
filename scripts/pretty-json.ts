/** Formats JSON for readable files and diffs. */

const WIDTH_MAX = 100

/** Lists and single-field objects go on one line if they fit; other objects get a line per field. */
export function prettyJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const short = oneLine(value)
  if (short !== undefined && indent.length + short.length <= WIDTH_MAX) return short
  const inner = `${indent}  `
  if (Array.isArray(value))
    return `[\n${value.map((item) => inner + prettyJson(item, inner)).join(',\n')}\n${indent}]`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{\n${fields
    .map(([name, field]) => `${inner}${JSON.stringify(name)}: ${prettyJson(field, inner)}`)
    .join(',\n')}\n${indent}}`
}

function oneLine(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    const items = value.map(oneLine)
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  if (fields.length === 0) return '{}'
  const [name, field] = fields[0]!
  const text = fields.length === 1 ? oneLine(field) : undefined
  return text === undefined ? undefined : `{ ${JSON.stringify(name)}: ${text} }`
}
