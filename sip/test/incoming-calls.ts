import { alice, credentialsOf, type Harness } from './harness.ts'
import type { Answer, Peer, PeerOptions } from './peer.ts'
import type { Account } from './phone.ts'

/** Helpers for tests of calls to our numbers. */

export const bob: Account = { user: 'bob', password: 'builder' }
/** The address of the calling carrier. */
export const CARRIER = '127.0.0.30'
export const NUMBER = '442079460123'
export const CALLER = '33140506070'

type Allow = Omit<Extract<Answer, { type: 'allow' }>, 'call'>
export type Target = NonNullable<Allow['plan']>[number]

/** Allows a call with a plan. */
export const ringing = (plan: Target[], given: Partial<Allow> = {}): Allow => ({
  type: 'allow',
  callerId: CALLER,
  coveredSeconds: 60,
  number: NUMBER,
  plan,
  trunks: [],
  ...given,
})

export const phones = (...names: string[]): Target => ({ id: -1, seconds: 20, phones: names })

/** A call control that knows the calling carrier and two phones. */
export async function peerWithCarrier(
  harness: Harness,
  authorize: NonNullable<PeerOptions['authorize']>,
): Promise<Peer> {
  const peer = await harness.peer({ authorize, credentials: credentialsOf(alice, bob) })
  peer.send({ type: 'sources', clear: true, add: [CARRIER] })
  // Registrations of earlier tests.
  for (const { user } of [alice, bob]) peer.send({ type: 'unregister', user })
  await peer.processed()
  return peer
}

/** The carrier calls our number. */
export async function callOfCarrier(harness: Harness, extra: [string, string][] = [], number = NUMBER) {
  const carrier = await harness.phone({ from: CARRIER })
  const tag = Math.random().toString(36).slice(2)
  const call = await carrier.call(number, [
    ['From', `"Jane Roe" <sip:${CALLER}@carrier.example>;tag=${tag}`],
    ...extra,
  ])
  return { carrier, call }
}

/** A browser's description with DTLS-SRTP and ICE. */
const browserSdp = (host: string, port: number, codec: string, setup: 'actpass' | 'passive') =>
  [
    ...['v=0', `o=- 1 2 IN IP4 ${host}`, 's=-', 't=0 0', 'a=group:BUNDLE 0'],
    ...[`m=audio ${port} UDP/TLS/RTP/SAVPF ${parseInt(codec, 10)}`, `c=IN IP4 ${host}`],
    ...['a=mid:0', 'a=sendrecv', 'a=rtcp-mux'],
    ...['a=ice-ufrag:abcd', 'a=ice-pwd:abcdefghijklmnopqrstuvwx', `a=setup:${setup}`],
    `a=candidate:1 1 udp 2113937151 ${host} ${port} typ host`,
    `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
    ...[`a=rtpmap:${codec}`, ''],
  ].join('\r\n')

/** A browser that offers only Opus. */
export const browserOffer = (host: string, port: number) =>
  browserSdp(host, port, '111 opus/48000/2', 'actpass')

export const browserAnswer = (host: string, port: number) => browserSdp(host, port, '8 PCMA/8000', 'passive')
