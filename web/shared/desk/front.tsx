/** The layout of pages for people who aren't logged in. */
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDocumentTitle } from './desk-name.ts'

export function Front({
  title,
  heading,
  intro,
  isNarrow = false,
  children,
}: {
  /** For the browser tab. */
  title: string
  heading: string
  intro?: ReactNode
  isNarrow?: boolean
  children: ReactNode
}) {
  useDocumentTitle(title)
  return (
    <main
      id="content"
      className={`mx-auto flex min-h-dvh w-full flex-col justify-center gap-6 px-4 py-8 ${isNarrow ? 'max-w-140' : 'max-w-240'}`}
    >
      <div className="flex flex-col gap-2">
        <span className="flex items-center gap-2 font-semibold">
          <span className="flex size-7 items-center justify-center rounded-field bg-brand text-on-brand">
            <Check size={18} strokeWidth={3} aria-hidden />
          </span>
          Legwork
        </span>
        <h1 className="text-xl font-semibold">{heading}</h1>
        {intro !== undefined && <p className="max-w-[68ch] text-muted">{intro}</p>}
      </div>
      {children}
    </main>
  )
}
