/** A check is only worth something if a bad page fails it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openPhone } from './phone.ts'

const page = (body: string) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Wrong</title><main><h1>Wrong</h1>${body}</main>`

describe('the phone complains', () => {
  for (const [what, html, complaint] of [
    [
      'about content that does not fit',
      page('<p style="width: 500px">Wide</p>'),
      /pixels wide on a screen/,
    ],
    ['about a field without a name', page('<input style="height: 48px">'), /has a name/],
    ['about a button that is too small', page('<button>x</button>'), /large enough/],
    ['about two main headings', page('<h1>Twice</h1>'), /one main heading/],
    ['about a missing language', page('').replace(' lang="en"', ''), /says its language/],
  ] as const)
    test(what, async () => {
      const phone = await openPhone()
      await phone.page.setContent(html)

      await assert.rejects(phone.look('wrong'), complaint)

      await phone.close()
    })

  test('about an invisible focus', async () => {
    const phone = await openPhone()
    await phone.page.setContent(page('<button style="outline: none">Go</button>'))

    await assert.rejects(phone.tabTo('Go'), /one sees that “Go” has the focus/)

    await phone.close()
  })

  test('about a dialog that a script opens', async () => {
    const phone = await openPhone()
    await phone.page.setContent(page('<script>alert("mine")</script>'))

    await assert.rejects(phone.close(), /opens a dialog, mine/)
  })

  test('about console errors', async () => {
    const phone = await openPhone()
    await phone.page.setContent(page('<script>console.error("broken")</script>'))

    await assert.rejects(phone.close(), /broken/)
  })
})
