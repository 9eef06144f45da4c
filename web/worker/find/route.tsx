import { lazy, Suspense } from 'react'
import type { Card } from './wishes.ts'

const RoutePreview = lazy(async () => ({
  default: (await import('./route-preview.tsx')).RoutePreview,
}))

/** The way to a task's place, loaded after the page; its room is kept free. */
export function Route({ task }: { task: Card }) {
  if (task.near === null) return null
  return (
    <Suspense fallback={<div className="aspect-[34/15] w-full rounded-field bg-map-land" />}>
      <RoutePreview near={task.near} task={task} />
    </Suspense>
  )
}
