import { Button } from '../ui/button.tsx'
import { count } from './figures.ts'

export function Pager({
  offset,
  shown,
  total,
  step,
  onGo,
}: {
  offset: number
  shown: number
  total: number
  step: number
  onGo(offset: number): void
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 border-t border-border px-4 py-2 text-sm text-muted">
      <span>
        {count(offset + 1)}–{count(offset + shown)} of {count(total)}
      </span>
      <div className="flex gap-2">
        <Button
          look="secondary"
          isDisabled={offset === 0}
          onPress={() => onGo(Math.max(0, offset - step))}
        >
          Newer
        </Button>
        <Button
          look="secondary"
          isDisabled={offset + shown >= total}
          onPress={() => onGo(offset + step)}
        >
          Older
        </Button>
      </div>
    </div>
  )
}
