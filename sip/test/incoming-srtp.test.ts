import { expect, it } from 'vitest'
import { startCalledPhone } from './called-phone.ts'
import { eventually } from './eventually.ts'
import { alice, harnessForFile } from './harness.ts'
import { bob, callOfCarrier, peerWithCarrier, phones, ringing } from './incoming-calls.ts'

/** A carrier calls phones that refuse the offered media. Real softphones: softphones/called.test.ts. */
const harness = await harnessForFile()

const srtpAnswer = (host: string, port: number) =>
  [
    ...['v=0', `o=- 1 1 IN IP4 ${host}`, 's=-', `c=IN IP4 ${host}`, 't=0 0', `m=audio ${port} RTP/SAVP 8`],
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30, 7).toString('base64')}`,
    ...['a=rtpmap:8 PCMA/8000', 'a=sendrecv', ''],
  ].join('\r\n')

it('offers SRTP to a phone that refuses RTP, while the other phone rings on', async () => {
  const peer = await peerWithCarrier(harness, () => ringing([phones('alice', 'bob')]))
  const secure = await startCalledPhone(harness, alice, { habit: 'silent', describe: srtpAnswer })
  const plain = await startCalledPhone(harness, bob)
  await Promise.all([secure.register(), plain.register()])
  const { call } = await callOfCarrier(harness)
  const [first] = await Promise.all([secure.rung(), plain.rung()])
  expect(first.body).toMatch(/m=audio \d+ RTP\/AVP /)
  expect(first.body).not.toContain('a=crypto')
  secure.reply(first, 488)
  const second = await secure.rung(2)
  expect(second.body).toMatch(/m=audio \d+ RTP\/SAVP /)
  expect(second.body).toContain('a=crypto:1 ')
  expect(second.body).not.toMatch(/a=fingerprint|NULL_HMAC/)
  expect(plain.received('CANCEL')).toEqual([])
  await secure.answer(2)
  const answer = await call.ended
  expect(answer.status).toBe(200)
  expect(answer.body).toMatch(/m=audio \d+ RTP\/AVP /)
  expect(answer.body).not.toContain('a=crypto')
  await plain.gets('CANCEL')
  expect(plain.invites()).toHaveLength(1)
  expect(await peer.next('answered')).toMatchObject({ trunk: -1 })

  await secure.gets('ACK')
  expect((await call.request('INVITE', call.offer)).body).toMatch(/m=audio \d+ RTP\/AVP /)
  const inside = await eventually(() => secure.received('INVITE')[2], 're-INVITE to the phone')
  expect(inside.body).toMatch(/m=audio \d+ RTP\/SAVP /)
  expect((await call.hangUp()).status).toBe(200)
  await secure.gets('BYE')
})

it('gives up a phone that refuses both', async () => {
  const peer = await peerWithCarrier(harness, () => ringing([phones('alice')]))
  const phone = await startCalledPhone(harness, alice, { habit: 488 })
  await phone.register()
  const { call } = await callOfCarrier(harness)
  expect((await call.ended).status).toBe(480)
  expect(phone.invites()).toHaveLength(2)
  expect(await peer.next('failed')).toMatchObject({ attempts: [{ code: 488 }] })
})
