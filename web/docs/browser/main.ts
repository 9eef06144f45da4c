/** Progressive enhancement: all pages also work without JavaScript. */
import { addCopying, addPageCopying } from './copying.ts'
import { followContents } from './contents.ts'
import { addKey } from './key.ts'
import { addRunning } from './running.ts'
import { addSearch } from './search.ts'
import { addTabs } from './tabs.ts'

addTabs()
addCopying()
addRunning()
addPageCopying()
addKey()
addSearch()
followContents()
