import { type ReactNode, useEffect, useRef } from 'react'

/** Fields and what sends them. When `problems` change, the focus goes to the first field that has one. */
export function Form({
  onSubmit,
  problems,
  children,
}: {
  onSubmit(): void
  problems?: object
  children: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)
  const said = JSON.stringify(problems)
  useEffect(() => leadToProblem(form.current), [said])
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
        // The same problem again is no change.
        requestAnimationFrame(() => leadToProblem(form.current))
      }}
      className="flex flex-col gap-4"
    >
      {children}
    </form>
  )
}

function leadToProblem(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
