import { TriangleAlert } from 'lucide-react'
import { count } from '../../shared/desk/figures.ts'

/** The number of cases past their deadline. */
export function Overdue({ value }: { value: number }) {
  if (value === 0) return <span className="text-muted">0</span>
  return (
    <span className="inline-flex items-center gap-1 font-medium text-danger wide:whitespace-nowrap">
      <TriangleAlert size={14} aria-hidden />
      {count(value)} overdue
    </span>
  )
}
