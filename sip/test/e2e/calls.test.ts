import { setTimeout as pause } from 'node:timers/promises'
import { dollars, micros } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import { startCarrier } from '../../../sandbox/carriers/carrier.ts'
import { audioDescription, headerOf } from '../../../sandbox/carriers/sip-message.ts'
import { LATE_MS } from '../eventually.ts'
import { SHORT_TIMEOUTS } from '../harness.ts'
import { providerForFile } from './for-file.ts'
import { LONDON, PER_SECOND, type Provider, until } from './provider.ts'

const provider = await providerForFile({}, { limits: { ...SHORT_TIMEOUTS, ringsForMs: 10_000 } })

const echo = { kind: 'echo', ringMs: 100 } as const

async function answering(behavior: Parameters<Provider['harness']['carrier']>[0] = echo) {
  const carrier = await provider.harness.carrier(behavior)
  const trunkId = await provider.newTrunk(carrier)
  await provider.settle()
  return { carrier, trunkId }
}

describe('a call', () => {
  it('of a registered phone is connected, recorded and charged to the micro-dollar', async () => {
    const { carrier, trunkId } = await answering()
    const customer = await provider.newCustomer()
    const { id, account } = customer
    await provider.settle()
    const phone = await provider.harness.phone({ account })
    expect((await phone.register()).status).toBe(200)
    const registered = await until(
      () => provider.db.selectFrom('registrations').selectAll().where('user_id', '=', id).executeTakeFirst(),
      'registration',
    )
    expect(registered).toMatchObject({ address: '127.0.0.1', device: 'Test Phone 1.0' })

    const claims: [string, string][] = [['P-Asserted-Identity', '<sip:+4930123456@evil.example>']]
    const call = await phone.call(LONDON, claims)
    expect((await call.ended).status).toBe(200)
    await until(async () => (await provider.liveCalls())[0]?.state === 'answered', 'live call')
    const [invite] = carrier.requests.filter(({ method }) => method === 'INVITE')
    expect(headerOf(invite as never, 'from')).toContain('sip:12025550123@')
    expect(headerOf(invite as never, 'p-asserted-identity')).toContain('12025550123')
    expect(JSON.stringify(invite)).not.toMatch(/4930123456|Claimed Name/)
    await call.speech.echoes(5)
    await pause(1_200)
    await call.hangUp()

    const record = await provider.cdrOf(id)
    const cost = BigInt(record.seconds) * PER_SECOND
    expect(record).toMatchObject({
      status: 'completed',
      reason: 'hung_up_by_caller',
      hung_up_by: 'caller',
      is_demo: false,
      destination: LONDON,
      trunk_id: trunkId,
      sip_account: customer.username,
      cost_micros: cost,
      attempts: [{ trunk: trunkId, code: 200 }],
    })
    const talked = (record.ended_at.getTime() - (record.answered_at?.getTime() ?? 0)) / 1000
    expect(record.seconds).toBe(Math.ceil(talked))
    expect(await provider.balanceOf(id)).toEqual({ balanceMicros: dollars(10) - cost, heldMicros: 0n })
    const heard = call.speech.heard()
    call.speech.say(5)
    await pause(300)
    expect(call.speech.heard()).toBe(heard)
  })

  it('records that the callee hung up, for a phone that authenticates with SHA-256', async () => {
    const { carrier } = await answering()
    const { id, account } = await provider.newCustomer()
    await provider.settle()
    const phone = await provider.harness.phone({ account: { ...account, user: `sha256~${account.user}` } })
    const call = await phone.call(LONDON)
    expect((await call.ended).status).toBe(200)
    carrier.hangUpAll()
    await call.isHungUp()
    expect(await provider.cdrOf(id)).toMatchObject({ status: 'completed', hung_up_by: 'callee' })
  })

  it('has early media, is held and resumed by either side, and is charged for its duration', async () => {
    const { carrier } = await answering({ kind: 'tone', ringMs: 60_000, hasEarlyMedia: true })
    const { id, account } = await provider.newCustomer()
    await provider.settle()
    const phone = await provider.harness.phone({ account })
    const call = await phone.call(LONDON)
    await call.rings(183)
    await until(async () => call.speech.heard() > 3, 'early media')
    expect((await provider.liveCalls())[0]).toMatchObject({ user_id: id, answered_at: null })
    await pause(900)
    carrier.answerAll()
    expect((await call.ended).status).toBe(200)
    const held = await call.request('INVITE', audioDescription('127.0.0.1', call.speech.port, 'sendonly'))
    expect(held.body).toContain('a=recvonly')
    expect((await call.request('INVITE', call.offer)).body).toContain('a=sendrecv')
    carrier.reinviteAll('sendonly')
    await until(async () => call.requests('INVITE').length > 0, 're-INVITE of the carrier')
    expect(await provider.liveCalls()).toHaveLength(1)
    expect((await call.hangUp()).status).toBe(200)
    const record = await provider.cdrOf(id)
    const talked = record.ended_at.getTime() - (record.answered_at?.getTime() ?? 0)
    expect(record).toMatchObject({ status: 'completed', seconds: Math.ceil(talked / 1_000) })
    expect(record.answered_at?.getTime()).toBeGreaterThan(record.started_at.getTime() + 800)
    const balanceMicros = dollars(10) - BigInt(record.seconds) * PER_SECOND
    expect(await provider.balanceOf(id)).toEqual({ balanceMicros, heldMicros: 0n })
  })

  it('with a balance for seven seconds ends for both sides after them, and keeps the rest of the balance', async () => {
    const { carrier } = await answering({ kind: 'echo', ringMs: 50 })
    const balance = micros(7n * PER_SECOND + 321n)
    const { id, account } = await provider.newCustomer({ balance })
    await provider.settle()
    const phone = await provider.harness.phone({ account })
    const call = await phone.call(LONDON)
    expect((await call.ended).status).toBe(200)
    const answeredAt = Date.now()
    await call.isHungUp()
    const lasted = Date.now() - answeredAt
    // Measured from when the phone receives the answer, which is later than the answer itself.
    expect(lasted).toBeGreaterThan(7_000 - LATE_MS)
    expect(lasted).toBeLessThan(7_000 + LATE_MS)
    await until(async () => carrier.live() === 0, 'BYE to the carrier')
    expect(await provider.cdrOf(id)).toMatchObject({
      seconds: 7,
      cost_micros: 7n * PER_SECOND,
      hung_up_by: 'timeout',
      reason: 'balance_used_up',
    })
    expect(await provider.balanceOf(id)).toEqual({ balanceMicros: 321n, heldMicros: 0n })
  })

  it('uses the second carrier when the first is dead, silent or replies 503, and records both attempts', async () => {
    const gone = await startCarrier()
    await gone.close()
    const silent = await provider.harness.carrier({ kind: 'silent' })
    const broken = await provider.harness.carrier({ kind: 'refuse', code: 503, reason: 'Out of order' })
    const good = await provider.harness.carrier(echo)
    for (const [first, code] of [
      [gone, 408],
      [silent, 408],
      [broken, 503],
    ] as const) {
      await provider.dropTrunks()
      const firstId = await provider.newTrunk(first, { priority: 1 })
      const secondId = await provider.newTrunk(good, { priority: 2 })
      const { id, account } = await provider.newCustomer()
      await provider.settle()
      const phone = await provider.harness.phone({ account })
      const call = await phone.call(LONDON)
      expect((await call.ended).status).toBe(200)
      await call.hangUp()
      expect(await provider.cdrOf(id)).toMatchObject({
        status: 'completed',
        trunk_id: secondId,
        attempts: [
          { trunk: firstId, code },
          { trunk: secondId, code: 200 },
        ],
      })
    }
  })

  it.each([
    ['is busy', { kind: 'refuse', code: 486, reason: 'Busy Here' }, 486, 'busy'],
    ['is not answered', { kind: 'rings' }, 480, 'no-answer'],
  ] as const)('that %s costs nothing and is recorded', async (_what, behavior, code, status) => {
    await answering(behavior)
    const { id, account } = await provider.newCustomer()
    await provider.settle()
    const phone = await provider.harness.phone({ account })
    const call = await phone.call(LONDON)
    expect([code, 408]).toContain((await call.ended).status)
    expect(await provider.cdrOf(id)).toMatchObject({ status, cost_micros: 0n })
    expect(await provider.balanceOf(id)).toEqual({ balanceMicros: dollars(10), heldMicros: 0n })
  })

  it('that the caller cancels while it rings is recorded as canceled', async () => {
    await answering({ kind: 'rings' })
    const { id, account } = await provider.newCustomer()
    await provider.settle()
    const phone = await provider.harness.phone({ account })
    const call = await phone.call(LONDON)
    await call.rings()
    call.cancel()
    expect((await call.ended).status).toBe(487)
    expect(await provider.cdrOf(id)).toMatchObject({ status: 'cancelled', cost_micros: 0n })
    expect(await provider.balanceOf(id)).toEqual({ balanceMicros: dollars(10), heldMicros: 0n })
  })
})

describe('the ledger', () => {
  it('balances after all calls', async () => {
    expect(await provider.faults()).toEqual([])
  })
})
