/**
 * The app's two typefaces, cut at build time to what its Latin languages need: Figtree for text, and one bold weight of
 * Bricolage Grotesque for headings and money. Other scripts use the phone's own fonts.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)

const NAME = 'virtual:fonts'
const DEV_PATH = '/fonts/'
const LICENSE_FILE = 'fonts-license.txt'
/** Copyright and license: the license asks that every copy carries them. */
const NAME_IDS_OF_LICENSE = [0, 13, 14]
/** Kerning, accents, and figures of equal width for columns of money. */
const FEATURES = ['kern', 'mark', 'ccmp', 'locl', 'tnum', 'rvrn']

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join('')

/** English, Spanish, Portuguese, French and German, with the punctuation that our messages use. */
export const CHARACTERS =
  range(0x20, 0x7e) + range(0xa0, 0xff) + 'ŒœŸ–—‘’‚“”„†•…‹›€™−\u2009\u200A\u2011\u202F'

interface Face {
  family: string
  /** The whole font. */
  file: string
  weight: string
  axes: Record<string, number | { min: number; max: number }>
}

export const FACES: Face[] = [
  {
    family: 'Figtree',
    file: require.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
    weight: '400 700',
    axes: { wght: { min: 400, max: 700 } },
  },
  {
    family: 'Bricolage Grotesque',
    file: require.resolve(
      '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2',
    ),
    weight: '700',
    // Drawn for the sizes at which it is used, 20 to 36 px.
    axes: { wght: 700, opsz: 28 },
  },
]

export const cutFace = ({ file, axes }: Face): Promise<Buffer> =>
  subsetFont(readFileSync(file), CHARACTERS, {
    targetFormat: 'woff2',
    variationAxes: axes,
    keepFeatures: FEATURES,
    preserveNameIds: NAME_IDS_OF_LICENSE,
    // Hints are for screens of low resolution.
    noHinting: true,
  })

/** `import fonts from 'virtual:fonts'` gives the family, weight and URL of each face. */
export function fonts(): Plugin {
  let isBuild = false
  return {
    name: 'legwork:fonts',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    async load(id) {
      if (id !== `\0${NAME}`) return null
      const faces = await Promise.all(
        FACES.map(async (face) => {
          if (!isBuild) return describe(face, JSON.stringify(DEV_PATH + nameOf(face)))
          const source = await cutFace(face)
          const asset = this.emitFile({ type: 'asset', name: nameOf(face), source })
          return describe(face, `import.meta.ROLLUP_FILE_URL_${asset}`)
        }),
      )
      if (isBuild)
        this.emitFile({ type: 'asset', fileName: LICENSE_FILE, source: licenseOf(FACES) })
      return `export default [${faces.join()}]`
    },
    configureServer(server) {
      server.middlewares.use(DEV_PATH, (request, response, pass) => {
        const face = FACES.find((one) => request.url === `/${nameOf(one)}`)
        if (face === undefined) return pass()
        cutFace(face)
          .then((bytes) => response.setHeader('content-type', 'font/woff2').end(bytes))
          .catch((error: unknown) => pass(error))
      })
    },
  }
}

const nameOf = ({ family }: Face) => `${family.toLowerCase().replaceAll(' ', '-')}.woff2`

const describe = ({ family, weight }: Face, url: string) =>
  `{ family: ${JSON.stringify(family)}, weight: ${JSON.stringify(weight)}, url: ${url} }`

const licenseOf = (faces: Face[]) =>
  faces
    .map(({ file }) => path.join(path.dirname(file), '../LICENSE'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n\n')
