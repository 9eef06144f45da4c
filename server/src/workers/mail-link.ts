/** Mails to suspended and closed workers, with a link to the page about their account. */
import type { Config } from '../config.ts'
import type { Mail } from '../email/compose.ts'
import { sendMail } from '../email/send.ts'
import type { Db } from '../kit/db.ts'
import { type Decision, mintObjectionLink } from './decisions.ts'

const DAY_MS = 86_400_000

/** Sends a mail with a new link. The token exists only in the mail. */
export async function sendWithLink(
  { db, config, now }: { db: Db; config: Config; now: Date },
  { decision, to }: { decision: Decision; to: string },
  write: (link: string) => Mail,
): Promise<void> {
  const { link, tokenHash } = await db.transaction((tx) =>
    mintObjectionLink(tx, {
      decisionId: decision.id,
      livesMs: config.OBJECTION_LINK_DAYS * DAY_MS,
      config,
      now,
    }),
  )
  try {
    await sendMail(config, to, write(link))
  } catch (error) {
    // The retry creates its own link.
    await db.transaction((tx) =>
      tx.deleteFrom('objection_links').where('token_hash', '=', tokenHash).execute(),
    )
    throw error
  }
}
