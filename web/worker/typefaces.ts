/**
 * Loads the app's typefaces. Text moves when its face changes, so they are applied before the first screen is shown, or
 * together with the next screen if they arrive late. Until then, and without them, the phone's own font is used.
 */
import faces from 'virtual:fonts'

/** Arabic is set in the phone's own font. */
const OTHER_SCRIPTS = ['ar']

export function loadTypefaces(language: string): { apply(): void } {
  if (OTHER_SCRIPTS.includes(language)) return { apply() {} }
  let loaded: FontFace[] | undefined
  // An error isn't worth a message: the text is readable without them.
  void load().then(
    (all) => {
      loaded = all
    },
    () => undefined,
  )
  const apply = () => {
    if (loaded === undefined) return
    for (const face of loaded) document.fonts.add(face)
    removeEventListener('pushState', apply)
  }
  return {
    apply() {
      // The router dispatches this event when a link is followed.
      addEventListener('pushState', apply)
      apply()
    },
  }
}

async function load(): Promise<FontFace[]> {
  await codeArrived()
  return Promise.all(
    faces.map(({ family, weight, url }) => new FontFace(family, `url(${url})`, { weight }).load()),
  )
}

/**
 * Typefaces must not take the line from the app's code on a slow network. While a phone compiles the code, the line is
 * free.
 */
const codeArrived = () =>
  new Promise<unknown>((resolve) => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="modulepreload"]')
    if (link === null || performance.getEntriesByName(link.href).length > 0) return resolve(null)
    link.addEventListener('load', resolve)
    link.addEventListener('error', resolve)
  })
