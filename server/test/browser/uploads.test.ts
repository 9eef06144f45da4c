import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { until, type Phone } from './phone.ts'
import { kept, openStreet } from './street.ts'

const street = await openStreet({ hasWire: true })
const { home, wire } = street

/** A photo that compresses badly, so its upload takes several chunks. */
const NOISE = {
  name: 'photo.png',
  mimeType: 'image/png',
  buffer: await sharp(randomBytes(900 * 900 * 3), { raw: { width: 900, height: 900, channels: 3 } })
    .png()
    .toBuffer(),
}

/** SLOW leaves time to act in the middle of an upload; CRAWLING never finishes. */
const SLOW = 200_000
const CRAWLING = 2000

async function choosePhoto({ page }: Phone): Promise<void> {
  await page.getByRole('button', { name: 'Open camera' }).tap()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).tap(),
  ])
  await chooser.setFiles(NOISE)
  await page.getByText('The agent sees').waitFor()
  await page.getByText('Yes', { exact: true }).tap()
}

/** Waits until an upload has started but is incomplete. */
async function middleOf(taskId: string): Promise<void> {
  await until(async () => {
    const { files } = await street.received(taskId)
    return files.some(({ received_bytes, bytes }) => received_bytes > 0 && received_bytes < bytes)
  })
}

function countBeginnings({ context }: Phone): string[] {
  const begun: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/worker/uploads'))
      begun.push(request.url())
  })
  return begun
}

describe('an interrupted upload', () => {
  test('continues as one file after the network failed', async () => {
    const { taskId, phone, page } = await street.worker()
    await phone.open(`${home}/active/${taskId}`)
    const begun = countBeginnings(phone)
    const offsets: string[] = []
    phone.context.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset']!)
    })
    await choosePhoto(phone)

    wire.slowTo(SLOW)
    await page.getByRole('button', { name: 'Send proof' }).tap()
    await page.getByText(/Sending \d+ of \d+ kB/).waitFor()
    await middleOf(taskId)
    wire.slowTo(CRAWLING)
    await phone.look('upload-1-sending')
    wire.cut()
    await page.getByText('Saved on this phone').waitFor()
    await phone.look('upload-2-saved')
    const [item] = await kept(page, 'outbox')
    const before = offsets.length
    wire.mend()
    await page.getByRole('button', { name: 'Try now' }).tap()
    await page.getByText('Proof sent').waitFor()
    const { proofs, files } = await street.received(taskId)
    await phone.close()

    assert.equal(begun.length, 1)
    assert(Number(offsets[before]) > 0, 'the upload does not restart at 0')
    assert.equal(proofs.length, 1)
    assert.deepEqual(
      files.map(({ sha256, received_bytes }) => [sha256, received_bytes]),
      [[item!.files[0].sha256, item!.files[0].bytes]],
    )
  })

  test('continues as one file after the tab was closed', async () => {
    const { taskId, phone, page } = await street.worker()
    await phone.open(`${home}/active/${taskId}`)
    const begun = countBeginnings(phone)
    await choosePhoto(phone)
    wire.slowTo(SLOW)
    await page.getByRole('button', { name: 'Send proof' }).tap()
    await middleOf(taskId)
    const [item] = await kept(page, 'outbox')
    await page.close()
    wire.mend()

    const next = await phone.context.newPage()
    await next.goto(`${home}/active`)
    const { files } = await until(async () => {
      const received = await street.received(taskId)
      return received.proofs.length === 1 && received
    })
    await phone.close()

    assert.equal(begun.length, 1)
    assert.deepEqual(
      files.map(({ sha256 }) => sha256),
      [item!.files[0].sha256],
    )
  })

  test('of a permanently refused proof is reported, and its photo can be saved', async () => {
    const { ada, taskId, phone, page } = await street.worker()
    await phone.open(`${home}/active/${taskId}`)
    await choosePhoto(phone)
    await ada.post(`/worker/tasks/${taskId}/release`)
    await page.getByRole('button', { name: 'Send proof' }).tap()
    await page.getByText('This proof wasn’t accepted').waitFor()
    await phone.look('upload-3-refused')
    const link = page.getByRole('link', { name: 'Save file 1' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.tap()])
    const name = download.suggestedFilename()
    await page.getByRole('button', { name: 'Delete' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).tap()
    await page.getByText('Handed back').waitFor()
    const left = await kept(page, 'media')
    await phone.close()

    assert.equal(name, 'legwork-1.jpg')
    assert.deepEqual(left, [])
  })
})
