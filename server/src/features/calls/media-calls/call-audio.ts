import type { AudioCopy, Encoded } from '@trunkline/media/endpoint'
import { type Rtpengine, RtpengineError, RtpengineSilence } from '@trunkline/media/rtpengine/client'
import { alawAsWav, SAMPLES_PER_SECOND } from '../../../platform/alaw.ts'
import { SECOND } from '../../../platform/clock.ts'
import type { Timers } from '../../../platform/timers.ts'

/** The audio of a live call at its rtpengine. The call itself does not change. */
export type CallAudio = {
  /** A copy of what this side sends. Rejects if rtpengine refuses it. */
  copy(side: Side, open: (offer: string) => Promise<AudioCopy | null>): Promise<AudioCopy>
  /** Both sides hear the sound, and not each other; a caller in a browser hears nothing. False if the callee did not hear all of it. */
  announce(sound: Encoded): Promise<boolean>
  /** Resolves when the callee can hear an announcement, or after some seconds. A browser negotiates its keys after the answer. */
  calleeIsReady(): Promise<void>
  /** Both sides hear each other again. */
  endAnnouncement(): Promise<void>
  /** rtpengine sends no more copies, also none that a killed process has asked for. */
  endCopies(): Promise<void>
}

type Side = 'caller' | 'callee'

/** Call-ID and From tag of the caller. `mutes_caller`: the callee has not heard the caller yet. */
type SipCall = { sip_call_id: string; sip_tag: string; mutes_caller?: boolean }

/** A command of rtpengine is one UDP datagram of at most 64 kB. */
const MAX_BLOB_SAMPLES = 5 * SAMPLES_PER_SECOND

/** Each takes three seconds without a reply. */
const UNBLOCK_TRIES = 10

/** The keys of a browser take about 200 ms. */
const READY_WITHIN_MS = 2 * SECOND
const LOOK_EVERY_MS = 50

/** Copies have G.711, whatever the codec of the side is. Keys are telephone events. */
const COPY = {
  ICE: 'remove',
  DTLS: 'off',
  SDES: ['off'],
  'transport-protocol': 'RTP/AVP',
  'rtcp-mux': ['demux'],
  replace: ['origin', 'session-connection'],
  codec: { mask: ['all'], transcode: ['PCMA', 'telephone-event'] },
}

/** The audio of a call, at the rtpengine that knows it. Null if none of them does. */
export async function findCallAudio(
  rtpengines: readonly Rtpengine[],
  timers: Pick<Timers, 'after'>,
  call: SipCall,
): Promise<CallAudio | null> {
  const found = await Promise.all(
    rtpengines.map(async (rtpengine) => {
      const sides = await sidesOf(rtpengine, call)
      return sides && createCallAudio(rtpengine, timers, call, sides)
    }),
  )
  return found.find((audio) => audio !== null) ?? null
}

/** A side of a call in the reply to `query`. Copies are subscriptions of another type. */
type QueriedSide = {
  subscriptions?: readonly { tag: string; type: string }[]
  medias?: readonly { protocol: string; streams?: readonly { stats?: { packets?: number } }[] }[]
}
type CallSide = { tag: string; isBrowser: boolean; hasSent: boolean }
type Sides = Record<Side, CallSide> & { copies: readonly string[] }

/** The caller, the side that the caller talks to, and the tags of copies. Null if this rtpengine does not know the call. */
async function sidesOf(
  rtpengine: Rtpengine,
  { sip_call_id, sip_tag }: Pick<SipCall, 'sip_call_id' | 'sip_tag'>,
): Promise<Sides | null> {
  const reply = await rtpengine.ask('query', { 'call-id': sip_call_id }).catch((error: unknown) => {
    if (error instanceof RtpengineError) return null
    throw error
  })
  const tags = reply?.tags as Record<string, QueriedSide | undefined> | undefined
  const heard = tags?.[sip_tag]?.subscriptions?.find(({ type }) => type === 'offer/answer')
  if (!heard) return null
  const sideOf = (tag: string): CallSide => ({
    tag,
    isBrowser: tags?.[tag]?.medias?.some(({ protocol }) => protocol.includes('TLS')) === true,
    // The first stream is RTP.
    hasSent: tags?.[tag]?.medias?.some(({ streams }) => (streams?.[0]?.stats?.packets ?? 0) > 0) === true,
  })
  const copies = Object.keys(tags ?? {}).filter((copy) =>
    tags?.[copy]?.subscriptions?.some(
      ({ tag, type }) => type === 'pub/sub' && (tag === sip_tag || tag === heard.tag),
    ),
  )
  return { caller: sideOf(sip_tag), callee: sideOf(heard.tag), copies }
}

function createCallAudio(
  rtpengine: Rtpengine,
  timers: Pick<Timers, 'after'>,
  sipCall: SipCall,
  { caller, callee, copies: earlier }: Sides,
): CallAudio {
  const call = { 'call-id': sipCall.sip_call_id }
  const tagOf = { caller: caller.tag, callee: callee.tag } as const
  // rtpengine plays with an SSRC of its own. Chromium plays the SSRC that began last, so the announcement must come before the other side.
  const mayAnnounceToCallee = !callee.isBrowser || sipCall.mutes_caller === true
  const listeners = [...(caller.isBrowser ? [] : [caller.tag]), ...(mayAnnounceToCallee ? [callee.tag] : [])]
  /** Tags that rtpengine gave to the copies. */
  const copies = [...earlier]

  /** Names the sides, because a phone chooses its Call-ID, which other calls may have too. */
  const forBoth = (command: string) =>
    Promise.all(Object.values(tagOf).map((tag) => rtpengine.ask(command, { ...call, 'from-tag': tag })))

  const wait = (ms: number) => new Promise<void>((resolve) => void timers.after(ms, resolve))

  async function play(samples: Uint8Array): Promise<void> {
    const blob = alawAsWav(samples, 1)
    await Promise.all(listeners.map((tag) => rtpengine.ask('play media', { ...call, 'from-tag': tag, blob })))
    await wait((samples.length / SAMPLES_PER_SECOND) * SECOND)
  }

  /** Nobody else lets the sides hear each other again, so a busy rtpengine is asked several times. */
  async function unblock(triesLeft = UNBLOCK_TRIES): Promise<void> {
    try {
      await forBoth('unblock media')
    } catch (error) {
      if (triesLeft <= 1 || !(error instanceof RtpengineSilence)) throw error
      await unblock(triesLeft - 1)
    }
  }

  async function endAnnouncement(): Promise<void> {
    await unblock()
    await Promise.allSettled(
      listeners.map((tag) => rtpengine.ask('stop media', { ...call, 'from-tag': tag })),
    )
  }

  /** rtpengine keeps the ports of a copy, and then of the whole call, until the copy is deleted too. */
  async function endCopy(tag: string): Promise<void> {
    await rtpengine.ask('unsubscribe', { ...call, 'to-tag': tag })
    await rtpengine.ask('delete', { ...call, 'from-tag': tag })
  }

  return {
    async calleeIsReady() {
      if (!callee.isBrowser) return
      for (let waited = 0; waited < READY_WITHIN_MS; waited += LOOK_EVERY_MS) {
        const sides = await sidesOf(rtpengine, sipCall)
        if (!sides || sides.callee.hasSent) return
        await wait(LOOK_EVERY_MS)
      }
    },
    async copy(side, open) {
      const from = { ...call, 'from-tag': tagOf[side] }
      const offer = await rtpengine.ask('subscribe request', { ...from, ...COPY })
      const tag = String(offer['to-tag'])
      copies.push(tag)
      const copy = await open(String(offer.sdp))
      if (!copy) throw new RtpengineError('the copy has no audio that we can use')
      try {
        const answer = { sdp: copy.answer, flags: ['allow-transcoding'] }
        await rtpengine.ask('subscribe answer', { ...from, 'to-tag': tag, ...answer })
      } catch (error) {
        copy.close()
        throw error
      }
      return copy
    },
    async announce({ alaw }) {
      if (!mayAnnounceToCallee) return false
      try {
        await forBoth('block media')
        for (let at = 0; at < alaw.length; at += MAX_BLOB_SAMPLES)
          await play(alaw.subarray(at, at + MAX_BLOB_SAMPLES))
        await endAnnouncement()
        return true
      } catch (error) {
        await endAnnouncement().catch(() => {})
        if (error instanceof RtpengineError) return false
        throw error
      }
    },
    endAnnouncement,
    async endCopies() {
      await Promise.allSettled(copies.splice(0).map(endCopy))
    },
  }
}
