import { linksIn, type ReceivedMail, startMailbox } from '../../scripts/inbox.ts'

const WAIT_MS = 5000

export type Inbox = Awaited<ReturnType<typeof openInbox>>

/** A real mail server on loopback that stores what our server sends to it. */
export async function openInbox() {
  const unread: ReceivedMail[] = []
  const waiting: (() => void)[] = []
  const mailbox = await startMailbox({
    onMail(mail) {
      unread.push(mail)
      for (const look of waiting.splice(0)) look()
    },
  })

  /** The oldest unread email to an address; waits for it if necessary. */
  async function mailTo(address: string) {
    const deadline = performance.now() + WAIT_MS
    for (;;) {
      const index = unread.findIndex(({ to }) => to.includes(address))
      if (index >= 0) {
        const [mail] = unread.splice(index, 1)
        return { ...mail!, links: linksIn(mail!.text).map((link) => new URL(link)) }
      }
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) throw new Error(`no mail to ${address} in ${WAIT_MS} ms`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs)
        waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  return {
    url: mailbox.url,
    mailTo,
    /** Emails that were sent but not read. */
    unreadTo: (address: string) => unread.filter(({ to }) => to.includes(address)),
    stop: mailbox.stop,
  }
}
