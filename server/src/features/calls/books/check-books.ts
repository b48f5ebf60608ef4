import { system } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import { DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { type CheckResult, checkBooks, type LiveHolds } from './ledger-checks-store.ts'
import { findLastProof, insertProof, type Proof } from './proof-store.ts'
import { checkSums } from './sums-checks-store.ts'

export type BooksReport = { checks: CheckResult[]; isSound: boolean }

export type Books = {
  check(): Promise<BooksReport>
  /** Runs the checks and stores the result for the admin panel. */
  prove(): Promise<BooksReport>
  lastProof(): Promise<Proof | null>
}

/** Without knowledge of live calls, a hold that is older than any call is a fault. */
const LONGEST_HOLD = DAY

/**
 * Checks the ledger from its rows, without using the code that wrote them. The database computes the sums and returns only faults, so
 * it scales to millions of rows. All checks share one snapshot.
 */
export function createBooks(db: Database, clock: Clock, liveHolds: LiveHolds | null = null): Books {
  const owner = system('proving the books')

  async function check(): Promise<BooksReport> {
    const checks = [
      ...(await checkBooks(db, owner, liveHolds, earlier(clock.now(), LONGEST_HOLD))),
      ...(await checkSums(db, owner)),
    ]
    return { checks, isSound: checks.every(({ faultCount }) => faultCount === 0) }
  }

  return {
    check,
    async prove() {
      const report = await check()
      const faults = report.checks.reduce((sum, { faultCount }) => sum + faultCount, 0)
      await insertProof(db, { at: clock.now(), faults })
      return report
    },
    lastProof: () => findLastProof(db),
  }
}

/** The report as text: a line per check, then the faults. */
export function describeBooks({ checks, isSound }: BooksReport): string[] {
  return [
    ...checks.flatMap(({ name, checkedCount, faultCount, faults }) => [
      `${faultCount === 0 ? 'ok   ' : 'FAULT'} ${name}: ${checkedCount} checked, ${faultCount} at fault`,
      ...faults.map((fault) => `      ${fault}`),
      ...(faultCount > faults.length ? [`      and ${faultCount - faults.length} more`] : []),
    ]),
    isSound ? 'The books add up.' : 'The books do not add up.',
  ]
}
