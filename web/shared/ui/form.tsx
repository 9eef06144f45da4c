import { type ReactNode, useEffect, useRef } from 'react'

/** A form. When `problems` change, the focus moves to the first invalid field. */
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
  const problemsKey = JSON.stringify(problems)
  useEffect(() => leadToProblem(form.current), [problemsKey])
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
        // Submitting the same errors again doesn't change `problems`, so move the focus here too.
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
