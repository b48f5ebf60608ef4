import { expect, it } from 'vitest'
import { type Pair, startPairForEach } from '../test/provider.ts'

let pair: Pair
startPairForEach((started) => {
  pair = started
})

it('delivers every copy of every callback of many concurrent invoices', {
  timeout: 120_000,
}, async () => {
  const invoices = 100
  const copies = 10
  await pair.control('faults', { callbacks: { copies, order: 'shuffled', at_once: true } })
  const trackIds = await Promise.all(Array.from({ length: invoices }, () => pair.create()))
  await Promise.all(trackIds.map((trackId) => pair.control(`pay/${trackId}`, { wait: false })))
  const log = await pair.log()
  expect(log.filter((entry) => entry.outcome !== 'delivered')).toEqual([])
  expect(pair.merchant.received).toHaveLength(invoices * copies * 2)
  expect(new Set(pair.merchant.received.map((one) => one.body.track_id)).size).toBe(invoices)
})
