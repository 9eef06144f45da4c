/** Adds a preload link for the app itself, so that the browser fetches it at once instead of after the first script. */
import type { Plugin, Rolldown } from 'vite'

export function preloadStart(): Plugin {
  return {
    name: 'legwork:preload-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => namesOfStart(Object.values(bundle)).map(preload),
    },
  }
}

/** Takes the largest chunk of that name, since a smaller one only re-exports it. */
function namesOfStart(bundle: (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): string[] {
  const chunks = bundle.filter((file) => file.type === 'chunk')
  const [start] = chunks
    .filter(({ name }) => name === 'start')
    .sort((one, other) => other.code.length - one.code.length)
  if (start === undefined) throw new Error('there is no chunk named start')
  const main = chunks.find(({ name }) => name === 'main')
  return [start.fileName, ...start.imports.filter((name) => name !== main?.fileName)]
}

const preload = (fileName: string) => ({
  tag: 'link',
  attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
  injectTo: 'head' as const,
})
