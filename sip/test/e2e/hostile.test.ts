import { setTimeout as pause } from 'node:timers/promises'
import { dollars } from '@trunkline/domain/money'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audioDescription, formatMessage } from '../../../sandbox/carriers/sip-message.ts'
import { nextPort } from '../harness.ts'
import { openSender } from '../sender.ts'
import { runSipp } from '../sipp.ts'
import { createMutator, tortureMessages } from '../torture.ts'
import { LONDON, PER_SECOND, type Provider, startProvider, until } from './provider.ts'

let provider: Provider
beforeAll(async () => {
  // A high limit, so that the rate limit drops nothing.
  provider = await startProvider({}, { limits: { knownPerSecond: 100_000 } })
})
afterAll(() => provider?.close())

/** A trusted address, so that its messages are processed; it has a balance but may not call. */
const KNOWN = '127.0.0.2'
const UNKNOWN = '127.0.0.3'
const PACKETS = 10_000
const CALLS = 15
const MUTATED_CALLS = 2_000

it('charges nothing for torture messages and ten thousand mutated packets, and keeps serving calls', async () => {
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
  await provider.newTrunk(carrier)
  const { id, account } = await provider.newCustomer()
  const sender = await provider.newCustomer({ callerId: null })
  await provider.setAddress(sender, KNOWN, 'approved')
  await provider.guard(sender.id, { max_calls_per_second: 10_000, max_concurrent_calls: 10_000 })
  // SIPp catches up on calls that were delayed.
  await provider.guard(id, { max_calls_per_second: 100, max_concurrent_calls: 100 })
  await provider.settle()
  const kamailio = provider.harness.running.kamailioPid()
  const phone = await provider.harness.phone({ account })
  const call = await phone.call(LONDON)
  expect((await call.ended).status).toBe(200)

  const torture = tortureMessages(`127.0.0.1:${provider.sipPort}`, `${KNOWN}:5060`).map(({ text }) => text)
  const seeds = [...[...carrier.requests, ...phone.messages].map(formatMessage), ...torture]
  const mutate = createMutator(3261)
  const senders = [await openSender(KNOWN, provider.sipPort), await openSender(UNKNOWN, provider.sipPort)]
  const meanwhile = await runSipp({
    scenario: 'caller',
    port: nextPort(),
    remotePort: provider.sipPort,
    account,
    service: LONDON,
    calls: CALLS,
    perSecond: 2,
    talk: 500,
  })
  for (const text of torture) for (const { send } of senders) await send(Buffer.from(text, 'latin1'))
  for (let sent = 0; sent < PACKETS; sent++) {
    await senders[sent % 2]?.send(mutate(seeds[sent % seeds.length] ?? ''))
    // Paced, because this is not a flood test.
    if (sent % 100 === 99) await pause(60)
  }
  const heard = await meanwhile.ended
  expect(heard, heard.errors).toMatchObject({ successful: CALLS, failed: 0 })
  await call.speech.echoes(3)
  expect((await call.hangUp()).status).toBe(200)
  await until(async () => (await provider.liveCalls()).length === 0, 'end of all calls')

  const records = await until(async () => {
    const all = await provider.cdrs(id)
    return all.length === CALLS + 1 && all
  }, 'a record of each call')
  const cost = records.reduce((sum, record) => sum + record.cost_micros, 0n)
  expect(records.map(({ status }) => status)).toEqual(Array(CALLS + 1).fill('completed'))
  expect(cost).toBe(records.reduce((sum, { seconds }) => sum + BigInt(seconds) * PER_SECOND, 0n))
  expect(await provider.balanceOf(id)).toEqual({ balanceMicros: dollars(10) - cost, heldMicros: 0n })
  expect(await provider.balanceOf(sender.id)).toEqual({ balanceMicros: dollars(10), heldMicros: 0n })
  // The messages that passed the checks reached call control and were refused.
  const refused = await provider.cdrs(sender.id)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.every(({ answered_at }) => answered_at === null)).toBe(true)
  expect(provider.harness.running.kamailioPid()).toBe(kamailio)
  expect(senders[0]?.answers()).toBeGreaterThan(0)
  expect(await provider.faults()).toEqual([])
  for (const { close } of senders) close()
})

it('ends all mutated calls of a customer, and the ledger balances', async () => {
  const from = '127.0.0.4'
  const number = '442079460999'
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 10, hangUpAfterMs: 300 })
  await provider.dropTrunks()
  await provider.newTrunk(carrier)
  const { id } = await provider.newCustomer()
  await provider.setAddress({ id }, from, 'approved')
  await provider.guard(id, { max_calls_per_second: 10_000, max_concurrent_calls: 10_000 })
  await provider.settle()
  const kamailio = provider.harness.running.kamailioPid()
  const invite = (call: number) =>
    formatMessage({
      method: 'INVITE',
      uri: `sip:${number}@127.0.0.1:${provider.sipPort}`,
      headers: [
        ['Via', `SIP/2.0/UDP ${from}:5060;rport;branch=z9hG4bK${call}`],
        ['From', `<sip:caller@${from}>;tag=${call}`],
        ['To', `<sip:${number}@127.0.0.1>`],
        ['Call-ID', `mutated-${call}`],
        ['CSeq', '1 INVITE'],
        ['Contact', `<sip:caller@${from}:5060>`],
        ['Max-Forwards', '70'],
        ['Content-Type', 'application/sdp'],
      ],
      body: audioDescription(from, 40_000),
    })
  const mutate = createMutator(2543)
  const sender = await openSender(from, provider.sipPort)
  // A busy switch drops some of the packets, so more are sent until enough calls of both outcomes are recorded.
  let sent = 0
  let records: Awaited<ReturnType<typeof provider.cdrs>> = []
  const countOf = (status: string) => records.filter((record) => record.status === status).length
  while (sent < MUTATED_CALLS || (Math.min(countOf('completed'), countOf('failed')) <= 20 && sent < 20_000)) {
    for (const batchEnd = sent + MUTATED_CALLS; sent < batchEnd; sent++) {
      await sender.send(mutate(invite(sent)))
      if (sent % 100 === 99) await pause(60)
    }
    await until(async () => (await provider.liveCalls()).length === 0, 'end of all calls', 240_000)
    records = await provider.cdrs(id)
  }
  expect(countOf('completed')).toBeGreaterThan(20)
  expect(countOf('failed')).toBeGreaterThan(20)
  const cost = records.reduce((sum, record) => sum + record.cost_micros, 0n)
  expect(cost).toBe(records.reduce((sum, { seconds }) => sum + BigInt(seconds) * PER_SECOND, 0n))
  expect(await provider.balanceOf(id)).toEqual({ balanceMicros: dollars(10) - cost, heldMicros: 0n })
  expect(provider.harness.running.kamailioPid()).toBe(kamailio)
  expect(await provider.faults()).toEqual([])
  sender.close()
})
