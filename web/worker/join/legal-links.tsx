import { useText } from '../text/use-text.tsx'

const LINKS = [
  ['/about', 'hello.about'],
  ['/help', 'hello.help'],
  ['/contact', 'hello.contact'],
  ['/legal/terms', 'hello.terms'],
  ['/legal/privacy', 'hello.privacy'],
  ['/legal/imprint', 'hello.imprint'],
] as const

/** The server's own pages, which are no screens of this app. */
export function LegalLinks() {
  const text = useText()
  return (
    <nav aria-label={text('hello.about')} className="flex flex-wrap justify-center gap-x-4 text-sm">
      {LINKS.map(([href, message]) => (
        <a key={href} href={href} className="inline-flex min-h-11 items-center text-muted">
          {text(message)}
        </a>
      ))}
    </nav>
  )
}
