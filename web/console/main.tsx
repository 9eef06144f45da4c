/** The agents' console. */
import './console.css'
import { mountDesk } from '../shared/desk/mount-desk.tsx'
import { App } from './app.tsx'
import { openQueries } from './queries.ts'

mountDesk({
  name: 'Legwork console',
  base: '/console',
  client: openQueries(),
  children: <App />,
})
