import type { ReactNode } from 'react'

export interface Column<Row> {
  id: string
  label: string
  cell(row: Row): ReactNode
  /** Aligns numbers at the end. */
  isNumber?: boolean
}

/**
 * A table; on small screens each row becomes a block in which every cell has its heading beside it. The roles are
 * explicit, since screen readers don't treat an element as a table if CSS lays it out differently.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  isCurrent,
}: {
  label: string
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  /** Marks the row that is open elsewhere on the screen. */
  isCurrent?(row: Row): boolean
}) {
  const sideOf = ({ isNumber }: Column<Row>) => (isNumber ? 'wide:text-end' : 'text-start')
  return (
    <table role="table" aria-label={label} className="block w-full text-base wide:table">
      <thead role="rowgroup" className="sr-only wide:not-sr-only wide:table-header-group">
        <tr role="row">
          {columns.map((column) => (
            <th
              key={column.id}
              role="columnheader"
              scope="col"
              className={`px-3 py-2 text-sm font-medium text-muted first:ps-4 last:pe-4 ${sideOf(column)}`}
            >
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block wide:table-row-group">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            role="row"
            aria-current={isCurrent?.(row) ? 'true' : undefined}
            className="flex flex-col gap-1 border-t border-border px-4 py-3 aria-[current]:bg-raised wide:table-row"
          >
            {columns.map((column) => (
              <td
                key={column.id}
                role="cell"
                className={`flex min-w-0 flex-wrap items-center justify-between gap-x-3 wide:table-cell wide:px-3 wide:py-2 wide:align-middle wide:first:ps-4 wide:last:pe-4 ${sideOf(column)}`}
              >
                <span aria-hidden className="text-sm text-muted empty:hidden wide:hidden">
                  {column.label}
                </span>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
