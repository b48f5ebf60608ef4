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
  /** Checks, and keeps what came of it for the operator's panel. */
  prove(): Promise<BooksReport>
  lastProof(): Promise<Proof | null>
}

/** As long as nothing tells which holds are live, one that is open for longer than any call lasts is a fault. */
const LONGEST_HOLD = DAY

/**
 * Proves the books from the rows alone, sharing nothing with the code that wrote them. The database does the adding up
 * and answers only with faults, so millions of rows pass through; all checks see one and the same moment.
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

/** A report as people read it: a line for each check, then each fault. */
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
