import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { alice, allow, credentialsOf, harnessForFile, nextPort } from './harness.ts'
import { trusted } from './peer.ts'
import type { Transport } from './phone.ts'
import { runSipp } from './sipp.ts'

const harness = await harnessForFile({ host: ['127.0.0.1', '::1'], tlsPort: 0 })

const portOf = (transport: Transport) =>
  transport === 'tls' ? (harness.running.tlsPort ?? 0) : harness.sipPort

/** A TLS proxy in front of a plain TCP port, with the switch's own certificate. */
async function wrapInTls(port: number) {
  const securePort = nextPort()
  const [key, cert] = await Promise.all(
    ['tls.key', 'tls.crt'].map((name) => readFile(join(harness.runFolder, name))),
  )
  const server = createServer({ key, cert }, (secure) => {
    const plain = connect(port, '127.0.0.1')
    for (const socket of [secure, plain]) socket.on('error', () => secure.destroy())
    secure.pipe(plain).pipe(secure)
  })
  await new Promise<void>((resolve) => server.listen(securePort, '127.0.0.1', resolve))
  return { port: securePort, close: () => server.close() }
}

describe('a phone', () => {
  it.each<[Transport, string, string]>([
    ['tcp', '127.0.0.1', '127.0.0.1'],
    ['tls', '127.0.0.1', '127.0.0.1'],
    ['udp', '::1', '::1'],
    ['tcp', '::1', '127.0.0.1'],
    ['udp', '127.0.0.1', '::1'],
    ['udp', '::1', '127.0.0.1'],
  ])('calls over %s from %s to a carrier at %s with audio both ways', async (transport, from, to) => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 }, { host: to })
    const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({
      account: alice,
      transport,
      switchHost: from,
      switchPort: portOf(transport),
    })
    expect((await phone.register()).status).toBe(200)
    const call = await phone.call('442071234567')
    const answer = await call.ended
    expect(answer.status).toBe(200)
    expect(answer.body).toContain(from.includes(':') ? 'IN IP6 ::1' : 'IN IP4 127.0.0.1')
    const invite = carrier.requests.find(({ method }) => method === 'INVITE')
    expect(invite?.body).toContain(to.includes(':') ? 'IN IP6 ::1' : 'IN IP4 127.0.0.1')
    await call.speech.echoes(5)
    carrier.hangUpAll()
    await call.isHungUp()
    const name = peer.all('authorize').at(-1)?.call
    expect(await peer.next('ended', (event) => event.call === name)).toMatchObject({ by: 'callee' })
  })

  it.each(['tcp', 'tls'] as const)('reaches a carrier over %s', async (transport) => {
    const carrier = await runSipp({ scenario: 'carrier', port: nextPort(), calls: 1, transport: 'tcp' })
    const wrapper = transport === 'tls' ? await wrapInTls(carrier.port) : null
    const port = wrapper?.port ?? carrier.port
    const trunk = { id: 1, host: '127.0.0.1', port, transport, number: '44207' }
    await harness.peer({ authorize: () => allow([], { trunks: [trunk] }), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567')
    expect((await call.ended).status).toBe(200)
    // SIPp counts a call as failed if the BYE overtakes the ACK.
    await pause(200)
    expect((await call.hangUp()).status).toBe(200)
    expect((await carrier.ended).successful).toBe(1)
    wrapper?.close()
  })

  it('is identified by a trusted IPv6 address', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
    const peer = await harness.peer({
      authorize: () => allow([carrier]),
    })
    // Phones of alice have authenticated from this address before.
    const add = ['::1', '0:0:0:0:0:0:0:1'].map((address) => trusted(address, 'Alice'))
    peer.send({ type: 'addresses', clear: true, add, remove: [] })
    await peer.processed()
    const phone = await harness.phone({ switchHost: '::1' })
    const call = await phone.call('442071234567')
    expect((await call.ended).status).toBe(200)
    expect((await call.hangUp()).status).toBe(200)
    expect(peer.all('credentials')).toEqual([])
    peer.send({ type: 'addresses', clear: true, add: [], remove: [] })
    await peer.processed()
    expect((await (await phone.call('442071234567')).ended).status).toBe(407)
  })

  it('behind NAT gets requests at its source address', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
    const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice, claims: '192.168.77.5:5062' })
    expect((await phone.register()).status).toBe(200)
    const hungUpByCarrier = await phone.call('442071234567')
    expect((await hungUpByCarrier.ended).status).toBe(200)
    carrier.hangUpAll()
    await hungUpByCarrier.isHungUp()
    const hungUpByUs = await phone.call('442071234567')
    expect((await hungUpByUs.ended).status).toBe(200)
    await pause(30)
    const name = peer.all('authorize').at(-1)?.call ?? ''
    peer.send({ type: 'hangup', call: name, reason: 'test' })
    await hungUpByUs.isHungUp()
    await peer.next('ended', (event) => event.call === name)
  })
})
