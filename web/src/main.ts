/** What runs first, and is small: the words of one's language are asked for while the app itself is on its way. */
import './app.css'
import { chooseLanguage, LANGUAGES } from './text/languages.ts'
import { applyTheme } from './theme.ts'

applyTheme()
const language = chooseLanguage()
const words = LANGUAGES[language].load()
// Not awaited: the app imports from here, and would wait for us while we wait for it.
void import('./start.tsx').then(({ start }) => start(language, words))
