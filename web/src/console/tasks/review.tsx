import type { TaskDetail } from '../queries.ts'
import { Asked } from './asked.tsx'
import { Decide } from './decide.tsx'
import { Delivered } from './delivered.tsx'

/** What was asked beside what came back, and the verdict: of many proofs it stands before them, never a long way below. */
export function Review({ task }: { task: TaskDetail }) {
  if (task.proofs.length > 1)
    return (
      <>
        <div className="grid grid-cols-1 items-start gap-4 min-[72rem]:grid-cols-2">
          <Asked task={task} />
          <div className="flex min-w-0 flex-col gap-4">
            <Decide task={task} />
          </div>
        </div>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] items-start gap-4">
          <Delivered task={task} />
        </div>
      </>
    )
  return (
    <>
      <div className="grid grid-cols-1 items-start gap-4 min-[72rem]:grid-cols-2">
        <Asked task={task} />
        <Delivered task={task} />
      </div>
      <Decide task={task} />
    </>
  )
}
