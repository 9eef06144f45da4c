/** The steps of a task: numbered before accepting, to tick off while working. */
import { Check } from 'lucide-react'
import { useText } from '../text/use-text.tsx'
import { Letter, Spans } from './show-blocks.tsx'

export function Steps({ steps }: { steps: string[] }) {
  const text = useText()
  return (
    <ol className="flex flex-col gap-2">
      {steps.map((step, at) => (
        <li key={at} className="flex gap-3">
          <span aria-hidden>
            <Letter>{text.number(at + 1)}</Letter>
          </span>
          <span dir="auto" className="min-w-0 flex-1 pt-0.5">
            <Spans text={step} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The ticks are for the worker only; the agent doesn't see them. */
export function StepsToTick({
  steps,
  ticked,
  onChange,
}: {
  steps: string[]
  /** Positions of the ticked steps. */
  ticked: number[]
  onChange(ticked: number[]): void
}) {
  const text = useText()
  const done = ticked.filter((at) => at < steps.length)
  return (
    <section className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-title font-bold">{text('brief.steps')}</h2>
        <p className="text-sm text-muted">
          {text('brief.ticked', { done: text.number(done.length), all: text.number(steps.length) })}
        </p>
      </div>
      <ol className="divide-y divide-border rounded-card bg-surface shadow-card">
        {steps.map((step, at) => (
          <li key={at}>
            <label className="flex min-h-control items-start gap-3 px-4 py-3">
              <span className="relative flex size-7 shrink-0 items-center justify-center">
                <input
                  type="checkbox"
                  checked={done.includes(at)}
                  onChange={({ target }) =>
                    onChange(target.checked ? [...done, at] : done.filter((one) => one !== at))
                  }
                  className="peer absolute inset-0 appearance-none rounded-full border-2 border-control checked:border-brand checked:bg-brand"
                />
                <span
                  aria-hidden
                  className="pointer-events-none relative text-sm font-semibold peer-checked:hidden"
                >
                  {text.number(at + 1)}
                </span>
                <Check
                  size={18}
                  aria-hidden
                  className="pointer-events-none relative hidden text-on-brand peer-checked:block"
                />
              </span>
              <span dir="auto" className="min-w-0 flex-1 pt-0.5">
                <Spans text={step} canCall />
              </span>
            </label>
          </li>
        ))}
      </ol>
    </section>
  )
}
