/** Progressive enhancement: the front page is complete without JavaScript, with a sample run of the example. */
import { addExample } from './example.ts'

addExample()
