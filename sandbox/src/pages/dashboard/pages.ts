/** All pages of the operator's dashboard. */
import type { PageRoute } from '../route.ts'
import { eventPages } from './events.ts'
import { faultPages } from './faults.ts'
import { listPages } from './lists.ts'
import { forOperators, logInPages } from './log-in.ts'
import { objectPages } from './object.ts'
import { overviewPages } from './overview.ts'

export const dashboardPages: PageRoute[] = [
  ...logInPages,
  ...forOperators([...overviewPages, ...listPages, ...objectPages, ...eventPages, ...faultPages]),
]
