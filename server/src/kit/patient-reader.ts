import { openDb, type Reader } from './db.ts'
import type { HomeSchema } from './layout.ts'

/** Runs `work` on a connection of its own, for statements that take longer than a request may. */
export async function withPatientReader<T>(
  url: string,
  slowestMs: number,
  work: (reader: Reader) => Promise<T>,
  schema?: HomeSchema,
): Promise<T> {
  const db = openDb(url, {
    ...(schema && { schema }),
    connectionsMax: 1,
    slowestMs,
    // An error that breaks the connection also fails the statement, and with it `work`.
    onError: () => {},
  })
  try {
    return await work(db.reader)
  } finally {
    await db.close()
  }
}
