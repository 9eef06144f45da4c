/** Shows the script of a call in large type: who is calling and why, the question for consent, then the agent's words. */
import { useText } from '../text/use-text.tsx'
import type { Block } from './blocks.ts'
import { Blocks } from './show-blocks.tsx'

export function Script({
  agent,
  purpose,
  blocks,
}: {
  agent: string
  /** Null if the script alone says why. */
  purpose: string | null
  blocks: Block[]
}) {
  const text = useText()
  return (
    <ol className="flex flex-col gap-4">
      <li className="flex flex-col gap-1">
        <span className="text-sm font-semibold text-muted">{text('active.call.first')}</span>
        <div className="flex flex-col gap-3 border-s-4 border-info ps-3 text-lg font-semibold wrap-anywhere">
          <p>
            {purpose === null
              ? text('active.call.caller', { agent })
              : text('active.call.opening', { agent, purpose })}
          </p>
          <p>{text('active.call.consent')}</p>
        </div>
        <span className="text-sm text-muted">{text('active.call.refused')}</span>
      </li>
      {blocks.length > 0 && (
        <li className="flex flex-col gap-1">
          <span className="text-sm font-semibold text-muted">{text('active.call.then')}</span>
          <div className="border-s-4 border-brand ps-3 text-lg font-semibold">
            <Blocks blocks={blocks} isScript />
          </div>
        </li>
      )}
    </ol>
  )
}
