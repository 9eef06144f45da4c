import { Link } from 'wouter'
import { type Task, titleOf, TYPES } from '../words.ts'

/** A task in a table row, with title and type; end-aligned on narrow screens. */
export function TaskLink({ task, isCut = false }: { task: Task; isCut?: boolean }) {
  return (
    <Link
      href={`/tasks/${task.id}`}
      className={`flex min-h-7 min-w-0 flex-col items-end justify-center text-end wide:items-start wide:text-start ${isCut ? 'max-w-96' : ''}`}
    >
      <span className={`font-medium text-brand ${isCut ? 'line-clamp-2' : ''}`} dir="auto">
        {titleOf(task)}
      </span>
      <span className="text-sm text-muted">{TYPES[task.type]}</span>
    </Link>
  )
}
