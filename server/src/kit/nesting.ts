/** Whether JSON is nested at most this deep: unlimited nesting overflows the stack of recursive code. */
export function nestsAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => nestsAtMost(inner, levels - 1))
}
