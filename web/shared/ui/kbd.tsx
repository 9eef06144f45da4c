/** A key of the keyboard, beside what it does. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="rounded-field border border-border bg-surface px-1.5 font-mono text-xs text-text">
      {children}
    </kbd>
  )
}
