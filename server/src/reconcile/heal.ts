import type { Background } from '../kit/job.ts'
import { postEntries } from '../ledger/journal.ts'
import { settleTransfer } from '../payouts/settle-transfer.ts'
import { settleWithdrawal } from '../payouts/withdraw.ts'
import { answered, answeredIfThere, ProcessorSilent } from '../processor/ask.ts'
import type { Processor } from '../processor/client.ts'
import { settleChargeback } from '../wallet/settle-chargeback.ts'
import { depositOfCharge } from '../wallet/settle-deposit.ts'
import { settleRefund } from '../wallet/settle-refund.ts'
import { natureOf, ownEntries, type Transaction } from './transactions.ts'

/** `early`: a bank debit that is listed before it has succeeded; it is not anyone's money until then. */
type Claim = 'ours' | 'nobodys' | 'early'

/**
 * Settles the subject of a balance transaction that our ledger lacks, fully or in part, as if its notification had
 * arrived. Returns whose it is; `nobodys` only after the processor was queried.
 */
export async function heal(
  background: Background,
  processor: Processor,
  transaction: Transaction,
): Promise<Claim> {
  const { source_id: sourceId } = transaction
  const nature = natureOf(transaction)
  if (nature === 'bank' || nature === 'charge_of_processor') {
    await postOwn(background, transaction)
    if (nature === 'bank' && sourceId !== null) await settleWithdrawal(background, sourceId)
    return 'ours'
  }
  if (nature === 'unexpected' || sourceId === null) return 'nobodys'

  switch (nature) {
    case 'deposit': {
      const claim = claimOf(await depositOfCharge(background, sourceId))
      if (claim === 'ours') return claim
      const charge = answeredIfThere(await processor.getCharge(sourceId))
      if (charge?.status === 'pending') return 'early'
      // It has failed, and the balance transaction that reverses it will follow.
      return charge?.status === 'failed' ? 'ours' : claim
    }
    case 'refund':
      return claimOf(await settleRefund(background, sourceId))
    case 'chargeback':
      return claimOf(await settleChargeback(background, sourceId))
    case 'transfer':
      return claimOf(await settleTransfer(background, sourceId))
    case 'reversal': {
      const transferId = answered(await processor.getReversedTransferId(transaction.id))
      return transferId === undefined
        ? 'nobodys'
        : claimOf(await settleTransfer(background, transferId))
    }
  }
}

function claimOf(settled: unknown): Claim {
  if (settled === 'waiting') throw new ProcessorSilent('The processor could not be queried')
  return settled === 'unknown' ? 'nobodys' : 'ours'
}

async function postOwn({ db, clock }: Background, transaction: Transaction): Promise<void> {
  await db.shards
    .of(0)
    .transaction((tx) => postEntries(tx, ownEntries(transaction), { now: clock.now() }))
}

/** The suspense line that this refund pays back, if any. */
export async function suspenseOfRefund(
  processor: Processor,
  processorRefundId: string,
): Promise<string | undefined> {
  const refund = answeredIfThere(await processor.getRefund(processorRefundId))
  return refund?.refundId
}
