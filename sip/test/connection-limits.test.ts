import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { alice, credentialsOf, startHarness } from './harness.ts'
import { openIdle } from './idle-connections.ts'
import type { Phone } from './phone.ts'

it('keeps only some of the authenticated connections of one address open', async () => {
  const own = await startHarness({ limits: { connectionsPerAddress: 3, idleConnectionSeconds: 3 } })
  try {
    await own.peer({ credentials: credentialsOf(alice) })
    const registered = async () => {
      const phone = await own.phone({ account: alice, transport: 'tcp' })
      expect((await phone.register()).status).toBe(200)
      return phone
    }
    const phones: Phone[] = []
    while (phones.length < 6) phones.push(await registered())
    const open = () => phones.filter(({ line }) => line.isOpen())
    await eventually(() => open().length === 3, 'end of three connections', 60_000)
    await pause(3_000)
    const [kept, ...others] = open()
    expect(others).toHaveLength(2)
    // A closed connection makes room for another one.
    kept?.line.close()
    await pause(5_000)
    const next = await registered()
    const known = await registered()
    await eventually(() => !known.line.isOpen(), 'end of one connection too many', 60_000)
    expect([next, ...others].map(({ line }) => line.isOpen())).toEqual([true, true, true])
  } finally {
    await own.close()
  }
})

it('shortens the idle timeout when many connections are open', async () => {
  const own = await startHarness({ limits: { idleConnectionSeconds: 600 } })
  const before = await openIdle(3_200, own.sipPort, '')
  try {
    await own.peer({ credentials: credentialsOf(alice) })
    await expect
      .poll(
        async () => {
          // Kamailio checks its timers on any connection activity, and at least every five seconds.
          const late = await openIdle(1, own.sipPort, '')
          const isClosed = await eventually(() => late.left() === 0, 'end', 10_000).catch(() => false)
          late.close()
          return isClosed
        },
        { timeout: 60_000 },
      )
      .toBe(true)
    // Connections that were opened before the limit was reached.
    expect(before.left()).toBeGreaterThan(2_500)
    const phone = await own.phone({ account: alice, transport: 'tcp' })
    expect((await phone.register()).status).toBe(200)
    await pause(4_000)
    expect((await phone.register(0)).status).toBe(200)
  } finally {
    before.close()
    await own.close()
  }
})
