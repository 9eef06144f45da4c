/** What runs first, and is small: words and session are asked for while the app itself is on its way. */
import './app.css'
import { api } from './api.ts'
import { chooseLanguage, LANGUAGES } from './text/languages.ts'
import { applyTheme } from '../shared/theme.ts'

applyTheme()
const language = chooseLanguage()
const words = LANGUAGES[language].load()
const session = api.get('/worker/session')
// Whoever waits for it is told why it failed.
session.catch(() => undefined)
// Not awaited: the app imports from here, and would wait for us while we wait for it.
void import('./start.tsx').then(({ start }) => start({ language, words, session }))
