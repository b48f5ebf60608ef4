import { expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { allow, harnessForFile, nextPort } from './harness.ts'
import { trusted } from './peer.ts'
import { runSipp } from './sipp.ts'

const harness = await harnessForFile()

/** As many addresses as fit into the longest message. */
const manyAddresses = Array.from({ length: 370 }, (_, n) =>
  trusted(`2001:0db8:0000:0000:0000:0000:0000:${n.toString(16).padStart(4, '0')}`, 'an account'),
)

it('processes an address list of the maximum message length completely', async () => {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
  const peer = await harness.peer({ authorize: () => allow([carrier]) })
  peer.send({ type: 'addresses', clear: true, add: [...manyAddresses, trusted('127.0.0.1')], remove: [] })
  await peer.processed()
  const phone = await harness.phone()
  const call = await phone.call('442071234567')
  expect((await call.ended).status).toBe(200)
  await call.hangUp()
  await peer.next('ended')
})

it('batches and acknowledges the events of many simultaneous calls', async () => {
  const count = 150
  const carrier = await runSipp({ scenario: 'carrier', port: nextPort(), calls: count })
  const peer = await harness.peer({
    authorize: () => allow([{ host: '127.0.0.1', port: carrier.port }]),
    addresses: ['127.0.0.1'],
    acknowledges: false,
  })
  const calling = await runSipp({
    scenario: 'caller-by-address',
    remotePort: harness.sipPort,
    port: nextPort(),
    calls: count,
    perSecond: 3_000,
    talk: 1_000,
  })
  const result = await calling.ended
  expect(result, result.errors).toMatchObject({ successful: count, failed: 0 })
  await eventually(() => peer.all('ended').length >= count, `${count} \`ended\` events`)
  // A lost batch of `answered` events would be resent only after the `ended` events.
  const answered = new Set<string>()
  const endedFirst: string[] = []
  for (const message of peer.received)
    if (message.type === 'answered') answered.add(message.call)
    else if (message.type === 'ended' && !answered.has(message.call)) endedFirst.push(message.call)
  expect(endedFirst).toEqual([])

  const ids = peer.received.flatMap((message) => ('id' in message ? [message.id] : []))
  peer.send({ type: 'ack', ids: [...new Set(ids)] })
  await peer.processed()
  await peer.close()
  const next = await harness.peer()
  await next.processed()
  expect(next.received.filter((message) => 'id' in message)).toEqual([])
  await carrier.ended
})
