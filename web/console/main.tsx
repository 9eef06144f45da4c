/** The agents' console. */
import './console.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { applyTheme } from '../theme.ts'
import { App } from './app.tsx'
import { openQueries } from './queries.ts'

applyTheme()
createRoot(document.querySelector('#app')!).render(
  <StrictMode>
    <I18nProvider locale="en-US">
      <QueryClientProvider client={openQueries()}>
        <Router base="/console">
          <App />
        </Router>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
)
