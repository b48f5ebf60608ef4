import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { headerOf, type SipMessage } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { connectNamespaces, type Inside, type Network } from './namespaces.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const place = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))
const SIP_PORT = 5060
const CONTROL_PORT = 7001
const CARRIER_PORT = 5080

/** Waits for a line that starts with `label` and returns the rest of it. */
const printed = async (inside: Inside, label: string): Promise<string> => {
  const line = () => inside.lines().find((text) => text.startsWith(`${label} `))
  await eventually(() => line() ?? inside.exitCode() !== null, label).catch(() => {})
  const found = line()
  if (found === undefined) throw new Error(`no line "${label}" in the output:\n${inside.lines().join('\n')}`)
  return found.slice(label.length + 1)
}

/** A network namespace for the switch and one for a carrier. */
async function cabled(prepare: (network: Network) => void): Promise<Network & { folder: string }> {
  const network = await connectNamespaces()
  ends.push(() => network.close())
  prepare(network)
  const folder = await mkdtemp(join(tmpdir(), 'far-carrier-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  return { ...network, folder }
}

const onIPv4 = ({ near, far }: Network) => {
  near.ip('address add 10.77.16.1/24 dev cable')
  near.ip('link set cable up')
  far.ip('address add 10.77.16.2/24 dev cable')
  far.ip('link set cable up')
}

const onIPv6 = ({ near, far }: Network) => {
  near.ip('address add fd77:16::1/64 dev cable nodad')
  near.ip('link set cable up')
  far.ip('address add fd77:16::2/64 dev cable nodad')
  far.ip('link set cable up')
}

/** Runs `./trunkline switch`. */
const startSwitchIn = ({ near, folder }: Network & { folder: string }, settings: Record<string, string>) =>
  near.spawn(
    fileURLToPath(new URL('../../trunkline', import.meta.url)),
    ['switch', '--control-port', String(CONTROL_PORT), '--sip-port', String(SIP_PORT), '--data', folder],
    { SIP_HOST: '', SIP_ADVERTISE: '', ...settings },
  )

/** Prints the requests that it receives and echoes audio. */
const carrierProgram = (host: string) => `
  import { startCarrier } from ${place('../../sandbox/carriers/carrier.ts')}
  const behaviorOf = () => ({ kind: 'echo', ringMs: 20 })
  const carrier = await startCarrier({ host: ${JSON.stringify(host)}, port: ${CARRIER_PORT}, behaviorOf })
  console.log('carrier ready')
  const logged = new Set()
  setInterval(() => {
    for (const request of carrier.requests)
      if (!logged.has(request) && logged.add(request)) console.log(request.method, JSON.stringify(request))
  }, 50)`

/** A phone on the switch's machine that calls over the carrier, sends audio and hangs up. */
const phoneProgram = (carrier: string, switchHost: string) => `
  import { connectPeer } from ${place('./peer.ts')}
  import { allow, alice, credentialsOf } from ${place('./harness.ts')}
  import { createPhone } from ${place('./phone.ts')}
  import { eventually } from ${place('./eventually.ts')}
  const carrier = { host: ${JSON.stringify(carrier)}, port: ${CARRIER_PORT} }
  const peer = await connectPeer(${CONTROL_PORT}, { authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
  const phone = await createPhone({ switchPort: ${SIP_PORT}, switchHost: ${JSON.stringify(switchHost)}, account: alice })
  const call = await phone.call('442071234567')
  const answer = await call.ended
  console.log('answer', answer.status)
  call.speech.say(5)
  const heard = await eventually(() => call.speech.heard() >= 5, 'speech', 5_000).catch(() => false)
  console.log('heard', heard)
  await call.hangUp()
  await peer.next('ended')
  console.log('ended', true)
  process.exit(0)`

/** Makes one call over the far carrier; returns what the carrier received and whether audio came back. */
async function callOver(
  network: Network & { folder: string },
  addresses: { carrier: string; switch: string },
  settings: Record<string, string>,
) {
  const running = startSwitchIn(network, settings)
  await eventually(
    () => running.lines().some((line) => line.includes('switch is ready')) || running.exitCode() !== null,
    'switch',
    40_000,
  )
  expect(running.lines().join('\n')).toContain('The switch is ready')
  const carrier = await network.far.run(carrierProgram(addresses.carrier))
  await printed(carrier, 'carrier')
  const phone = await network.near.run(phoneProgram(addresses.carrier, addresses.switch))
  expect(await printed(phone, 'answer')).toBe('200')
  const invite: SipMessage = JSON.parse(await printed(carrier, 'INVITE'))
  const heard = await printed(phone, 'heard')
  await phone.ended
  return { invite, heard, words: running.lines().join('\n') }
}

describe('a carrier on another machine', () => {
  it('gets the address of the default route, and audio works, when the switch listens on all addresses', async () => {
    const network = await cabled((made) => {
      onIPv4(made)
      made.near.ip('route add default via 10.77.16.2')
    })
    const addresses = { carrier: '10.77.16.2', switch: '10.77.16.1' }
    const { invite, heard, words } = await callOver(network, addresses, {})
    expect(invite.body).toMatch(/^c=IN IP4 10\.77\.16\.1\r?$/m)
    expect(headerOf(invite, 'from')).toContain('@10.77.16.1>')
    expect(headerOf(invite, 'p-asserted-identity')).toContain('@10.77.16.1>')
    expect(headerOf(invite, 'contact')).toContain('10.77.16.1')
    expect(JSON.stringify(invite)).not.toContain('127.0.0.')
    expect(heard).toBe('true')
    expect(words).toContain('10.77.16.1, port 5060')
  })

  it('gets the public address of a machine behind one-to-one NAT', async () => {
    const network = await cabled((made) => {
      onIPv4(made)
      made.far.ip('route add 203.0.113.7/32 via 10.77.16.1')
    })
    const addresses = { carrier: '10.77.16.2', switch: '10.77.16.1' }
    const { invite } = await callOver(network, addresses, { SIP_ADVERTISE: '203.0.113.7' })
    expect(invite.body).toMatch(/^c=IN IP4 203\.0\.113\.7\r?$/m)
    expect(headerOf(invite, 'from')).toContain('@203.0.113.7>')
    expect(headerOf(invite, 'contact')).toContain('203.0.113.7')
    expect(headerOf(invite, 'via')).toContain('203.0.113.7')
  })

  it('gets the IPv6 address of the default route', async () => {
    const network = await cabled((made) => {
      onIPv6(made)
      made.near.ip('-6 route add default via fd77:16::2')
    })
    const addresses = { carrier: 'fd77:16::2', switch: 'fd77:16::1' }
    const { invite, heard } = await callOver(network, addresses, { SIP_HOST: '::' })
    expect(invite.body).toMatch(/^c=IN IP6 fd77:16::1\r?$/m)
    expect(headerOf(invite, 'from')).toContain('@[fd77:16::1]>')
    expect(heard).toBe('true')
  })
})

it('refuses to start without a default route and asks for the address', async () => {
  const network = await cabled(onIPv4)
  const running = startSwitchIn(network, {})
  await eventually(() => running.exitCode() !== null, 'end')
  expect(running.exitCode()).toBe(1)
  expect(running.lines().join('\n')).toContain('Set SIP_ADVERTISE to the public address')
})
