import { refusalReasons } from '@trunkline/domain/callcontrol'
import { describe, expect, it } from 'vitest'
import { letSwitchStart, preferOpus } from './descriptions.ts'
import { type Figures, judge, readFigures } from './quality.ts'
import { helpFor, wordsOfAnswer, wordsOfEnd } from './words.ts'

const figures = (sent: number, received: number, given: Partial<Figures> = {}): Figures => ({
  packetsSent: sent,
  packetsReceived: received,
  packetsLost: 0,
  jitter: 0.004,
  roundTrip: 0.02,
  ...given,
})

describe('the quality of a call', () => {
  it('is rated by loss, jitter and round trip since the last sample', () => {
    const before = figures(500, 500, { packetsLost: 100 })
    expect(judge(before, figures(550, 550, { packetsLost: 100 }))).toEqual({
      word: 'Good',
      what: '0.0% packet loss, jitter 4 ms, round trip 20 ms',
    })
    expect(judge(before, figures(550, 549, { packetsLost: 101 }))?.word).toBe('Fair')
    expect(judge(before, figures(550, 540, { packetsLost: 110 }))?.word).toBe('Poor')
    expect(judge(before, figures(550, 550, { packetsLost: 100, roundTrip: 0.7 }))?.word).toBe('Poor')
    expect(judge(before, figures(550, 550, { packetsLost: 100, roundTrip: null }))?.what).not.toContain(
      'round',
    )
  })

  it('reports missing audio, and is null with too few packets', () => {
    expect(judge(figures(0, 0), figures(50, 0))?.what).toBe('No audio from the other phone.')
    expect(judge(figures(0, 0), figures(10, 9))).toBeNull()
  })

  it('reads WebRTC statistics', () => {
    const reports = [
      { type: 'outbound-rtp', kind: 'audio', packetsSent: 7 },
      { type: 'inbound-rtp', kind: 'audio', packetsReceived: 5, packetsLost: -1, jitter: 0.01 },
      { type: 'candidate-pair', nominated: true, state: 'succeeded', currentRoundTripTime: 0.03 },
    ]
    expect(readFigures(reports)).toEqual({
      packetsSent: 7,
      packetsReceived: 5,
      packetsLost: 0,
      jitter: 0.01,
      roundTrip: 0.03,
    })
    expect(readFigures([])).toMatchObject({ packetsSent: 0, roundTrip: null })
  })
})

describe('a failed call', () => {
  it('has a sentence for every refusal reason', () => {
    for (const reason of refusalReasons) expect(wordsOfAnswer(403, reason)).toMatch(/^[A-Z].*\.$/)
    expect(wordsOfAnswer(402, 'no_balance')).toBe('The balance does not cover this call.')
    expect(wordsOfAnswer(486, 'Busy Here')).toBe('The number is busy.')
    expect(wordsOfAnswer(503, 'constructor')).toBe('The number cannot be reached right now.')
  })

  it('was hung up by the user only if the user did it, not if JsSIP gave up', () => {
    expect(wordsOfEnd('local', 'Terminated')).toBe('You hung up.')
    expect(wordsOfEnd('remote', 'Terminated')).toBe('The other party hung up.')
    expect(wordsOfEnd('local', 'Dialog Error')).toBe('The other party hung up.')
    expect(wordsOfEnd('local', 'RTP Timeout')).toBe('The audio connection was lost.')
    expect(wordsOfEnd('local', 'WebRTC Error')).toBe('The call was interrupted.')
  })

  it('names the screen that resolves the problem', () => {
    expect(helpFor('The balance ran out.')).toBe('top-up')
    expect(helpFor('No caller ID is set. Add one in the dashboard before calling.')).toBe('caller-id')
    expect(helpFor('The selected route is for premium users.')).toBe('upgrade')
    expect(helpFor('The called party was busy.')).toBeNull()
  })
})

it('offers only Opus and DTMF events', () => {
  const sdp = [
    ...['v=0', 'm=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 110 126', 'a=mid:0'],
    ...[
      'a=rtpmap:111 opus/48000/2',
      'a=fmtp:111 minptime=10',
      'a=rtpmap:63 red/48000/2',
      'a=fmtp:63 111/111',
    ],
    ...[
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:110 telephone-event/48000',
      'a=rtpmap:126 telephone-event/8000',
      '',
    ],
  ].join('\r\n')
  const offered = { originator: 'local', sdp }
  preferOpus(offered)
  expect(offered.sdp.split('\r\n')).toEqual([
    ...['v=0', 'm=audio 9 UDP/TLS/RTP/SAVPF 111 110', 'a=mid:0'],
    ...['a=rtpmap:111 opus/48000/2', 'a=fmtp:111 minptime=10', 'a=rtpmap:110 telephone-event/48000', ''],
  ])
  const answered = { originator: 'remote', sdp }
  preferOpus(answered)
  expect(answered.sdp).toBe(sdp)
})

it('lets the switch start the encryption of an incoming call only', () => {
  const description = (originator: string) => ({
    originator,
    sdp: 'm=audio 9\r\na=setup:actpass\r\na=mid:0\r\n',
  })
  const [offered, answered] = [description('remote'), description('local')]
  letSwitchStart(offered)
  letSwitchStart(answered)
  expect(offered.sdp).toBe('m=audio 9\r\na=setup:active\r\na=mid:0\r\n')
  expect(answered.sdp).toBe(description('local').sdp)
})
