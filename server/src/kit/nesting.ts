/** Whether JSON is no deeper than this: what is nested without end overflows the stack of whoever walks through it. */
export function nestsAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => nestsAtMost(inner, levels - 1))
}
