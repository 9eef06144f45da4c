import { Check, Copy } from 'lucide-react'
import { Button } from 'react-aria-components/Button'
import { useEffect, useState } from 'react'

const SAID_MS = 2000

/** A code block with a copy button. */
export function Code({ label, children }: { label: string; children: string }) {
  return (
    <div className="relative min-w-0">
      <pre
        // Focusable, so that the arrow keys scroll it when it is wider than its box.
        tabIndex={0}
        role="region"
        aria-label={label}
        dir="ltr"
        className="max-h-96 overflow-auto rounded-field border border-border bg-raised p-3 pe-12 font-mono text-sm leading-relaxed whitespace-pre text-text"
      >
        <code>{children}</code>
      </pre>
      <div className="absolute end-1 top-1 rounded-field bg-raised">
        <CopyButton text={children} label={`Copy ${label}`} />
      </div>
    </div>
  )
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
  }
  return (
    <Button
      aria-label={isCopied ? 'Copied' : label}
      onPress={() => void copy()}
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-field text-muted data-[hovered]:bg-surface data-[hovered]:text-text"
    >
      {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
    </Button>
  )
}
