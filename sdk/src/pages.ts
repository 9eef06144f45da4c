/** Iterates over the pages of a list. */
export async function* pagesOf<Item, Cursor>(
  from: Cursor | undefined,
  read: (cursor: Cursor | undefined) => Promise<{ items: Item[]; next: Cursor | null }>,
): AsyncGenerator<Item[], void, undefined> {
  for (let cursor = from; ; ) {
    const { items, next } = await read(cursor)
    if (items.length > 0) yield items
    if (next === null) return
    cursor = next
  }
}
