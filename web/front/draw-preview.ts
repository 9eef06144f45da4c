/**
 * `node web/front/draw-preview.ts`: draws the picture that link previews show, from the map of the front page. The
 * result is committed, because a build machine may lack a browser and fonts.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { plainTokens } from '../shared/build/static-site.ts'
import { MAP, MARK } from './art.ts'

const HERE = import.meta.dirname
const SIZE = { width: 1200, height: 630 }

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' })
await page.setContent(`<style>${plainTokens()}${readFileSync(path.join(HERE, 'front.css'), 'utf8')}
body { display: grid; grid-template-columns: 1fr 540px; align-items: center; gap: 24px; height: 630px }
body { padding: 0 32px 0 72px }
h1 { font-size: 62px; margin-top: 28px } .home { font-size: 34px } .mark { width: 52px; height: 52px }
.map { max-width: none }
</style><div><span class="home">${MARK}Legwork</span><h1>People do what your software can’t.</h1></div>${MAP}`)
const png = await page.screenshot()
await browser.close()
await sharp(png).png({ palette: true, colours: 64 }).toFile(path.join(HERE, 'public/preview.png'))
