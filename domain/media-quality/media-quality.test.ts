import { describe, expect, it } from 'vitest'
import { readMediaQuality } from './index.ts'

const side = (ssrc: number, packets: number, last = 100) => ({
  medias: [
    {
      codec: 'PCMA/8000',
      streams: [
        { flags: ['RTP', 'confirmed'], SSRC: ssrc, 'last packet': last, stats: { packets } },
        { flags: ['RTCP'], SSRC: ssrc, stats: { packets: 8 } },
      ],
    },
  ],
})
const moment = (MOS: number, jitter: number, loss: number) => ({
  MOS,
  jitter,
  'packet loss': loss,
  'round-trip time': 4779,
})
const report = {
  'cumulative loss': 40,
  'average MOS': { ...moment(35, 10, 9), samples: 7 },
  'lowest MOS': moment(31, 12, 14),
  'MOS progression': { entries: [moment(0, 30, 0), moment(35, 10, 9)] },
}
const none = {
  reports: 0,
  mos: null,
  lowestMos: null,
  lossPercent: null,
  lostPackets: null,
  jitterMs: null,
  highestJitterMs: null,
  roundTripMs: null,
}

describe('readMediaQuality', () => {
  it('reads the figures of the side that sent reports and leaves the other unmeasured', () => {
    const reply = { tags: { caller: side(1, 360), callee: side(2, 400) }, SSRC: { 2: report } }
    expect(readMediaQuality(reply, 'caller')).toEqual({
      phone: { codec: 'PCMA/8000', packetsSent: 360, ...none },
      carrier: {
        codec: 'PCMA/8000',
        packetsSent: 400,
        reports: 7,
        mos: 3.5,
        lowestMos: 3.1,
        lossPercent: 9,
        lostPackets: 40,
        jitterMs: 10,
        highestJitterMs: 30,
        roundTripMs: 4.8,
      },
    })
  })

  it('takes the carrier that sent speech last', () => {
    const reply = { tags: { caller: side(1, 9), early: side(2, 5, 50), callee: side(3, 7, 90) } }
    expect(readMediaQuality(reply, 'caller')?.carrier?.packetsSent).toBe(7)
  })

  it('measures a call in which only one side sent speech', () => {
    const toSilentPhone = { tags: { caller: side(1, 0), callee: side(2, 7) } }
    expect(readMediaQuality(toSilentPhone, 'caller')?.carrier?.packetsSent).toBe(7)
    const toSilentCarrier = { tags: { caller: side(1, 7), callee: side(2, 0) } }
    expect(readMediaQuality(toSilentCarrier, 'caller')?.phone.packetsSent).toBe(7)
  })

  it('averages the course of a call without an average, and shows no jitter where there was none', () => {
    const quiet = { 'MOS progression': { entries: [moment(43, 0, 0), { MOS: 43, 'packet loss': 4 }] } }
    const reply = { tags: { caller: side(1, 9), callee: side(2, 7) }, SSRC: { 2: quiet } }
    expect(readMediaQuality(reply, 'caller')?.carrier).toMatchObject({
      reports: 2,
      lossPercent: 2,
      jitterMs: 0,
      highestJitterMs: 0,
    })
  })

  it.each([
    [null],
    ['error'],
    [{}],
    [{ tags: [] }],
    [{ tags: { caller: { medias: 'x' } } }],
    [{ tags: { caller: side(1, 0) } }],
    [{ tags: { caller: side(1, 0), callee: side(2, 0) } }],
  ])('measures nothing in %j', (reply) => {
    expect(readMediaQuality(reply, 'caller')).toBeNull()
  })
})
