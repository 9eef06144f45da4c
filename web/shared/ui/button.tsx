import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
} from 'react-aria-components/Button'
import { Link } from 'wouter'
import type { ReactNode } from 'react'

type Look = 'primary' | 'secondary' | 'quiet' | 'danger'

const BASE =
  'inline-flex min-h-control items-center justify-center gap-2 rounded-field px-[calc(var(--spacing-control)*0.4)] py-[calc(var(--spacing-control)/6)] text-base font-semibold text-center ' +
  'transition-[scale] duration-(--duration-press) ease-out disabled:opacity-60 active:scale-[.98] data-[pressed]:scale-[.98]'

const LOOKS: Record<Look, string> = {
  primary: 'bg-brand text-on-brand',
  secondary: 'bg-raised text-text',
  quiet: 'text-brand px-2',
  danger: 'bg-danger text-on-danger',
}

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  look?: Look
  isWide?: boolean
  children: ReactNode
}

/** While `isPending`, it keeps its size, tells screen readers, and can't be pressed. */
export function Button({ look = 'primary', isWide = false, children, ...props }: ButtonProps) {
  return (
    <AriaButton
      {...props}
      className={`${BASE} ${LOOKS[look]} ${isWide ? 'w-full' : ''} data-[pending]:opacity-60`}
    >
      {children}
    </AriaButton>
  )
}

/** A round icon button; `label` is for screen readers. */
export function IconButton({
  label,
  children,
  ...props
}: Omit<AriaButtonProps, 'className' | 'style' | 'children'> & {
  label: string
  children: ReactNode
}) {
  return (
    <AriaButton
      {...props}
      aria-label={label}
      className="inline-flex size-control shrink-0 items-center justify-center rounded-full text-text transition-colors duration-(--duration-press) data-[pressed]:bg-raised"
    >
      {children}
    </AriaButton>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  href,
  look = 'primary',
  isWide = false,
  children,
}: {
  href: string
  look?: Look
  isWide?: boolean
  children: ReactNode
}) {
  const style = `${BASE} ${LOOKS[look]} ${isWide ? 'w-full' : ''}`
  return /^[a-z]+:/.test(href) ? (
    <a href={href} className={style}>
      {children}
    </a>
  ) : (
    <Link href={href} className={style}>
      {children}
    </Link>
  )
}
