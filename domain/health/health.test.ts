import { describe, expect, it } from 'vitest'
import { cents, dollars, ZERO } from '../money/index.ts'
import { balanceDays, type HealthFigures, healthReasons, spendChangePercent } from './index.ts'

const quiet: HealthFigures = {
  spendMicros: dollars(70),
  spendBeforeMicros: dollars(70),
  calls: 100,
  failed: 5,
  callsBefore: 100,
  failedBefore: 5,
  openTickets: 0,
  ticketMinutes: null,
  availableMicros: dollars(500),
}
const DAY = 24 * 60
const texts = (change: Partial<HealthFigures>) =>
  healthReasons({ ...quiet, ...change }).map(({ text }) => text)

describe('reasons to look at a customer', () => {
  it('are none for steady spend, reached calls, no ticket and a balance for 50 days', () => {
    expect(texts({})).toEqual([])
    expect(balanceDays(quiet)).toBe(50)
    expect(spendChangePercent(quiet)).toBe(0)
  })

  it('name a fall of spend by half or more, above $1', () => {
    expect(texts({ spendMicros: cents(2_660) })).toEqual(['Spend fell by 62% in 7 days'])
    expect(texts({ spendMicros: dollars(35) })).toEqual(['Spend fell by 50% in 7 days'])
    expect(texts({ spendMicros: cents(3_501) })).toEqual([])
    expect(texts({ spendMicros: ZERO })).toEqual(['No spend in 7 days'])
    expect(texts({ spendMicros: ZERO, spendBeforeMicros: cents(99) })).toEqual([])
  })

  it('name failed calls from a quarter of at least 20 calls', () => {
    expect(texts({ failed: 31 })).toEqual(['31% of calls failed, 5% before'])
    expect(texts({ failed: 25, callsBefore: 0, failedBefore: 0 })).toEqual(['25% of calls failed'])
    expect(texts({ failed: 24 })).toEqual([])
    expect(texts({ calls: 19, failed: 19 })).toEqual([])
  })

  it('name tickets that are open for two days', () => {
    expect(texts({ openTickets: 1, ticketMinutes: 3 * DAY + 5 })).toEqual(['Ticket open for 3 days'])
    expect(texts({ openTickets: 2, ticketMinutes: 2 * DAY })).toEqual(['2 tickets open, one for 2 days'])
    expect(texts({ openTickets: 1, ticketMinutes: 2 * DAY - 1 })).toEqual([])
  })

  it('name a balance that lasts less than three days at the spend of the last days', () => {
    expect(texts({ availableMicros: cents(2_999) })).toEqual(['Balance lasts 2 days'])
    expect(texts({ availableMicros: dollars(10) })).toEqual(['Balance lasts 1 day'])
    expect(texts({ availableMicros: ZERO })).toEqual(['Balance lasts less than a day'])
    expect(texts({ availableMicros: dollars(30) })).toEqual([])
    expect(texts({ availableMicros: ZERO, spendMicros: ZERO, spendBeforeMicros: ZERO })).toEqual([])
  })
})
