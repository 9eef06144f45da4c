import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { createRoot } from 'react-dom/client'

export function mountApp({
  locale,
  client,
  children,
}: {
  locale: string
  client: QueryClient
  children: ReactNode
}): void {
  createRoot(document.querySelector('#app')!).render(
    <StrictMode>
      <I18nProvider locale={locale}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  )
}
