/** The operators' desk. */
import './operators.css'
import { mountDesk } from '../shared/desk/mount-desk.tsx'
import { App } from './app.tsx'
import { openQueries } from './queries.ts'

mountDesk({ name: 'Legwork desk', base: '/desk', client: openQueries(), children: <App /> })
