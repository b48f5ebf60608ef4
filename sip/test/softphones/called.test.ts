import { expect, it } from 'vitest'
import { eventually } from '../eventually.ts'
import { alice, credentialsOf, harnessForFile } from '../harness.ts'
import { CARRIER, callOfCarrier, peerWithCarrier, phones, ringing } from '../incoming-calls.ts'
import { killKamailio } from '../kill-kamailio.ts'
import { untilSaved } from '../saved.ts'
import { startBaresip } from './baresip.ts'
import { type SoftphoneCase, softphonesForFile } from './console.ts'
import { startLinphone } from './linphone.ts'
import { startTwinkle } from './twinkle.ts'

/** Debian's softphones are called by a carrier. */
const harness = await harnessForFile({ tlsPort: 0 })
const started = softphonesForFile()

const cases: SoftphoneCase[] = [
  ['linphonec', 'udp', 'RTP', startLinphone],
  ['linphonec', 'tls', 'RTP', startLinphone],
  ['linphonec', 'tls', 'SRTP', startLinphone],
  ['baresip', 'udp', 'RTP', startBaresip],
  ['baresip', 'tcp', 'RTP', startBaresip],
  ['baresip', 'tcp', 'SRTP', startBaresip],
  ['baresip', 'tls', 'RTP', startBaresip],
  ['baresip', 'tls', 'SRTP', startBaresip],
  ['twinkle', 'udp', 'RTP', startTwinkle],
]

it.each(cases)('%s rings, answers and hangs up over %s with %s', async (_name, transport, speech, start) => {
  const peer = await peerWithCarrier(harness, () => ringing([phones('alice')], { callerName: 'Jane Roe' }))
  const { sipPort, tlsPort } = harness.running
  const port = transport === 'tls' ? (tlsPort ?? 0) : sipPort
  const requiresSrtp = speech === 'SRTP'
  const phone = await start({ account: alice, transport, requiresSrtp, host: '127.0.0.1', port })
  started.push(phone)
  await peer.next('registered')
  const { call } = await callOfCarrier(harness)
  await phone.rings()
  await phone.answer()
  expect((await call.ended).status).toBe(200)
  expect(await peer.next('answered')).toMatchObject({ trunk: -1 })
  // Twinkle sends nothing from a null sound device.
  if (start !== startTwinkle)
    await eventually(() => {
      call.speech.say(1)
      return call.speech.heard() > 20
    }, 'audio of the phone')
  await phone.hangUp()
  await call.isHungUp()
  expect(await peer.next('ended')).toMatchObject({ by: 'callee' })
})

it.each(cases.filter(([, transport]) => transport === 'udp'))(
  '%s rings after the switch was killed',
  async (_name, transport, _speech, start) => {
    const authorize = () => ringing([phones('alice')])
    const before = await peerWithCarrier(harness, authorize)
    const { sipPort: port } = harness.running
    const phone = await start({ account: alice, transport, requiresSrtp: false, host: '127.0.0.1', port })
    started.push(phone)
    await before.next('registered')
    await untilSaved(harness.runFolder, 'the phone', (saved) => saved.phones.includes('alice'))
    await before.close()
    await killKamailio(harness.running)
    const peer = await harness.peer({ authorize, credentials: credentialsOf(alice) })
    peer.send({ type: 'sources', clear: true, add: [CARRIER] })
    await peer.processed()
    const { call } = await callOfCarrier(harness)
    await phone.rings()
    await phone.answer()
    expect((await call.ended).status).toBe(200)
    await phone.hangUp()
    await call.isHungUp()
  },
)
