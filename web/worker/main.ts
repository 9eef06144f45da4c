/** The small entry script: requests messages, session, tasks and typefaces while the app itself is still loading. */
import './app.css'
import { api } from './api.ts'
import { requestEarly } from './early.ts'
import { chooseLanguage, LANGUAGES } from './text/languages.ts'
import { applyTheme } from '../shared/theme.ts'
import { loadTypefaces } from './typefaces.ts'

applyTheme()
const language = chooseLanguage()
const { load, loadRest } = LANGUAGES[language]
const words = load()
const typefaces = loadTypefaces(language)
const session = api.get('/worker/session')
const early = requestEarly(session)
// Avoids unhandled rejections; whoever awaits these still gets the error.
session.catch(() => undefined)
early.catch(() => undefined)
// Not awaited: the app imports from this module, so awaiting it here would deadlock.
void import('./start.tsx').then(({ start }) =>
  start({ language, words, loadRest, typefaces, session, early }),
)
