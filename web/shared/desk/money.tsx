import { money, signedMoney } from './figures.ts'

export function Money({ cents, isSigned = false }: { cents: number; isSigned?: boolean }) {
  return (
    <span className="font-medium whitespace-nowrap tabular-nums">
      {isSigned ? signedMoney(cents) : money(cents)}
    </span>
  )
}
