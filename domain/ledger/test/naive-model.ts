import { isDeepStrictEqual } from 'node:util'
import type { LedgerCommand } from '../books.ts'

/**
 * A minimal ledger to compare with. It stores events and recomputes every sum from them, in plain numbers, and
 * shares no code with the real ledger.
 */
type NaiveHold = {
  id: string
  userId: number
  placed: number
  amount: number
  open: boolean
  paid: number | null
}

type NaiveOutcome = 'done' | 'repeat' | 'refused'

export class NaiveLedger {
  readonly done: { command: LedgerCommand; userId: number; change: number }[] = []
  readonly holds: NaiveHold[] = []

  balance(userId: number): number {
    let total = 0
    for (const event of this.done) if (event.userId === userId) total += event.change
    return total
  }

  held(userId: number): number {
    let total = 0
    for (const hold of this.holds) if (hold.userId === userId && hold.open) total += hold.amount
    return total
  }

  free = (userId: number): number => this.balance(userId) - this.held(userId)

  do(command: LedgerCommand): NaiveOutcome {
    if (command.kind === 'place')
      return this.place(command.holdId, command.userId, Number(command.amountMicros))
    if (!('holdId' in command)) return this.move(command)
    const hold = this.holds.find((candidate) => candidate.id === command.holdId)
    if (!hold) return 'refused'
    if (command.kind === 'extend') return this.extend(hold, Number(command.toMicros))
    if (command.kind === 'settle') return this.settle(hold, Number(command.costMicros), command)
    if (hold.paid !== null) return 'refused'
    if (!hold.open) return 'repeat'
    hold.open = false
    return 'done'
  }

  private move(command: Exclude<LedgerCommand, { holdId: string }>): NaiveOutcome {
    const first = this.done.find((event) => 'key' in event.command && event.command.key === command.key)
    // The copies have the same prototype. fast-check creates some records without one.
    if (first) return isDeepStrictEqual({ ...first.command }, { ...command }) ? 'repeat' : 'refused'
    const amount = Number(command.amountMicros)
    if (amount <= 0 || command.reference === '') return 'refused'
    if (command.kind === 'adjustment' && command.reason === '') return 'refused'
    const takes =
      (command.kind === 'adjustment' && command.direction === 'debit') ||
      (command.kind === 'refund_paid_out' && command.takenFrom === 'balance')
    const touchesNobody =
      command.kind === 'upgrade_purchase' ||
      (command.kind === 'refund_paid_out' && command.takenFrom === 'house')
    if (takes && this.free(command.userId) < amount) return 'refused'
    const change = touchesNobody ? 0 : takes ? -amount : amount
    this.done.push({ command, userId: command.userId, change })
    return 'done'
  }

  private place(id: string, userId: number, amount: number): NaiveOutcome {
    const known = this.holds.find((hold) => hold.id === id)
    if (known) {
      return known.open && known.userId === userId && known.placed === amount ? 'repeat' : 'refused'
    }
    if (amount <= 0 || this.free(userId) < amount) return 'refused'
    this.holds.push({ id, userId, placed: amount, amount, open: true, paid: null })
    return 'done'
  }

  private extend(hold: NaiveHold, to: number): NaiveOutcome {
    if (!hold.open || to <= 0) return 'refused'
    if (to <= hold.amount) return 'repeat'
    if (this.free(hold.userId) < to - hold.amount) return 'refused'
    hold.amount = to
    return 'done'
  }

  private settle(hold: NaiveHold, cost: number, command: LedgerCommand): NaiveOutcome {
    if (hold.paid !== null) return hold.paid === cost ? 'repeat' : 'refused'
    if (!hold.open || cost < 0 || cost > hold.amount) return 'refused'
    hold.open = false
    hold.paid = cost
    this.done.push({ command, userId: hold.userId, change: -cost })
    return 'done'
  }
}
