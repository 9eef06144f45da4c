/** Reconcile with the processor now, and show the money report. */
import { reconcile as reconcileNow } from '../reconcile/reconcile.ts'
import { command } from './command.ts'
import { reportMoney } from './money.ts'

export const reconcile = command({
  name: 'reconcile',
  takes: '',
  does: 'reconcile the ledger with the processor now',
  right: 'pay',
  isLook: true,
  async run(background) {
    await reconcileNow(background)
    const data = await reportMoney(background)
    return { data, isBad: data.needs.length > 0 }
  },
})
