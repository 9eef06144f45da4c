import type { TaskDetail } from '../queries.ts'
import { Asked } from './asked.tsx'
import { ConsensusView } from './consensus.tsx'
import { Decide } from './decide.tsx'
import { Delivered } from './delivered.tsx'

/**
 * The request beside the proofs, and the verdict. With many proofs the verdict comes first, so nobody scrolls to it.
 */
export function Review({ task }: { task: TaskDetail }) {
  const consensus = task.consensus !== undefined && (
    <ConsensusView task={task} consensus={task.consensus} />
  )
  if (task.proofs.length > 1)
    return (
      <>
        <div className="grid grid-cols-1 items-start gap-4 min-[72rem]:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <Asked task={task} />
            <Decide task={task} />
          </div>
          {consensus}
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
      {consensus}
      <Decide task={task} />
    </>
  )
}
