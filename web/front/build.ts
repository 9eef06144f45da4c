/**
 * Builds the front page and the layout of the legal pages. The server completes both: server/src/http/web.ts fills in
 * its public URL and figures from its settings.
 */
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { assetWriter, bundleScript, plainTokens } from '../shared/build/static-site.ts'
import { layOut } from './layout.ts'
import { DESCRIPTION, frontContent, TITLE } from './page.ts'

const HERE = import.meta.dirname
const PHOTO_PX = 480

/** The typefaces of the worker's app, which is built before. */
const TYPEFACES = [
  { family: 'Figtree', file: 'figtree', weight: '400 700' },
  { family: 'Bricolage Grotesque', file: 'bricolage-grotesque', weight: '700' },
]

/** All source files, for detecting changes. */
export const frontSources = () =>
  globSync('**/*', { cwd: HERE, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()

export async function buildFront(folder: string): Promise<void> {
  const put = assetWriter(folder, 'assets/front')
  const fonts = TYPEFACES.map((face) => ({ ...face, url: fontOfApp(folder, face.file) }))
  const own = readFileSync(path.join(HERE, 'front.css'), 'utf8')
  const assets = {
    css: put('front.css', [plainTokens(), ...fonts.map(fontFace), own].join('\n')),
    js: put('front.js', await bundleScript(path.join(HERE, 'browser/main.ts'))),
    fonts: fonts.map(({ url }) => url),
  }
  const photo = await sharp(path.join(HERE, 'photo.jpg'))
    .resize(PHOTO_PX, PHOTO_PX * 0.75)
    .webp({ quality: 50 })
    .toBuffer()
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
  write(
    'front.html',
    layOut(
      {
        title: TITLE,
        description: DESCRIPTION,
        content: frontContent(put('photo.webp', photo)),
        hasScript: true,
        data: ORGANIZATION,
      },
      assets,
    ),
  )
  write(
    'legal.html',
    layOut(
      {
        title: 'Legwork',
        description: '',
        content: '<article class="wrap legal-text">\n<!--content-->\n</article>',
      },
      assets,
    ),
  )
  write('do-not-contact.js', await bundleScript(path.join(HERE, 'browser/do-not-contact.ts')))
  copyFileSync(path.join(HERE, 'public/preview.png'), path.join(folder, 'preview.png'))
}

function fontOfApp(folder: string, name: string): string {
  const [file] = globSync(`assets/${name}-*.woff2`, { cwd: folder })
  if (file === undefined) throw new Error(`the worker's app has no typeface ${name}`)
  return `/${file}`
}

/** Optional: a face that comes late is used from the next page on, so that no text moves. */
const fontFace = ({ family, weight, url }: { family: string; weight: string; url: string }) =>
  `@font-face {
  font-family: "${family}";
  font-weight: ${weight};
  font-display: optional;
  src: url("${url}") format("woff2");
}`

const ORGANIZATION = {
  '@context': 'https://schema.org',
  '@type': 'Organization',
  name: 'Legwork',
  url: '{{legwork.public_url}}/',
  logo: '{{legwork.public_url}}/icon-512.png',
}
