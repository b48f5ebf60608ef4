import type { Encoded } from './endpoint.ts'
import type { RtpSession } from './rtp/session.ts'
import { type Audio, formatSdp, mirrored, OWN_CODECS, OWN_KEYS, parseSdp } from './sdp.ts'
import type { Answer, Session, SessionEvents } from './sip/session.ts'

/** An answered call: its SIP session, its RTP session, and what each side knows of the other's audio. */
export type Leg = {
  readonly rtp: RtpSession
  /** The other side's audio. Null until a late offer is answered. */
  remote(): Audio | null
  isOver(): boolean
  /** Offers audio at this address. Returns the other side's audio, or null if it refuses. */
  offer(audio: Audio): Promise<Audio | null>
  /** Brings the audio back to this process, if it is elsewhere. */
  comeBack(): Promise<void>
  /** Stops sending: the audio is elsewhere now. */
  leave(): void
  /** The other side wants the audio elsewhere, so it is back here. */
  onReturned(listener: (() => void) | null): void
  onKey(listener: (key: string) => void): () => void
  onEnd(listener: (by: 'them' | 'us') => void): void
  hangUp(): void
  play(sound: Encoded, loops: boolean): Promise<boolean>
}

export type LegOptions = {
  readonly openRtp: (onKey: (key: string) => void, onDead: () => void) => RtpSession
  /** Our address in SDP. */
  readonly host: string
  readonly onError: (error: unknown) => void
  readonly onOver: () => void
}

/** A leg before its SIP session exists: it makes SDP and takes the events of the session. */
export type NewLeg = {
  readonly leg: Leg
  readonly events: SessionEvents
  /** Our offer of all that we can. */
  offerBody(): string
  /** Our answer to an offer, or null if it has no audio that we can use. */
  answerBody(offer: string): string | null
  /** Takes the answer to our offer. Returns whether it has audio that we can use. */
  takeAnswer(answer: string): boolean
  start(session: Session): void
  /** For a call that never got a session. */
  abandon(by: 'them' | 'us'): void
}

const REFUSED: Answer = { status: 488, reason: 'Not Acceptable Here', body: '' }
const OFFER_TRIES = 3

export function createLeg({ openRtp, host, onError, onOver }: LegOptions): NewLeg {
  const keyListeners = new Set<(key: string) => void>()
  const endListeners: ((by: 'them' | 'us') => void)[] = []
  const rtp = openRtp(emitKey, () => leg.hangUp())
  const id = Math.floor(Math.random() * 2 ** 31)
  let version = 0
  let remote: Audio | null = null
  let session: Session | null = null
  let endedBy: 'them' | 'us' | null = null
  /** Whether the other side was told to send its audio to somebody else. */
  let isElsewhere = false
  let lastBody = ''
  let returned: (() => void) | null = null
  /** Offers wait for each other. */
  let offers: Promise<unknown> = Promise.resolve()

  function guarded<T>(listener: (value: T) => void, value: T): void {
    try {
      listener(value)
    } catch (error) {
      onError(error)
    }
  }

  function emitKey(key: string): void {
    if (endedBy === null) for (const listener of [...keyListeners]) guarded(listener, key)
  }

  function bodyOf(audio: Audio, lines?: readonly (string | null)[]): string {
    version += 1
    lastBody = formatSdp(audio, { id, version, host }, lines)
    return lastBody
  }

  const ownAudio = (): Audio => ({
    address: host,
    port: rtp.port,
    codecs: OWN_CODECS,
    keys: OWN_KEYS,
    direction: 'sendrecv',
  })

  function offerBody(): string {
    return bodyOf(ownAudio())
  }

  function answerBody(offer: string): string | null {
    const description = parseSdp(offer)
    if (!description) return null
    const { audio, lines } = description
    remote = audio
    rtp.aim(audio)
    const { codecs, keys, direction } = audio
    return bodyOf({ address: host, port: rtp.port, codecs, keys, direction: mirrored(direction) }, lines)
  }

  function takeAnswer(answer: string): boolean {
    const description = parseSdp(answer)
    if (!description) return false
    remote = description.audio
    rtp.aim(remote)
    return true
  }

  function end(by: 'them' | 'us'): void {
    if (endedBy !== null) return
    endedBy = by
    rtp.close()
    onOver()
    for (const listener of endListeners.splice(0)) guarded(listener, by)
  }

  const events: SessionEvents = {
    onOffer(offer) {
      if (offer === null) return { status: 200, reason: 'OK', body: offerBody() }
      const description = parseSdp(offer)
      if (!description) return REFUSED
      if (isElsewhere && isSameAudio(description.audio, remote))
        return { status: 200, reason: 'OK', body: lastBody }
      const wasElsewhere = isElsewhere
      isElsewhere = false
      const body = answerBody(offer) ?? ''
      if (wasElsewhere) returned?.()
      return { status: 200, reason: 'OK', body }
    },
    onAnswer: (answer) => void takeAnswer(answer),
    onInfo(contentType, body) {
      // A phone that sends events in RTP may send INFO as well.
      if (!isElsewhere && remote !== null && remote.keys !== null) return
      const key = /^application\/dtmf-relay/i.test(contentType)
        ? /^\s*signal\s*=\s*([0-9*#A-D])/im.exec(body)?.[1]
        : /^application\/dtmf$/i.test(contentType)
          ? /^\s*([0-9*#A-D])\s*$/i.exec(body)?.[1]
          : undefined
      if (key !== undefined) emitKey(key.toUpperCase())
    },
    onEnd: end,
  }

  async function offerNow(audio: Audio): Promise<Audio | null> {
    if (session === null || endedBy !== null) return null
    const answer = await session.reinvite(bodyOf(audio))
    if (answer.status < 200 || answer.status >= 300) return null
    return parseSdp(answer.body)?.audio ?? null
  }

  function queued<T>(work: () => Promise<T>): Promise<T> {
    const next = offers.then(work)
    offers = next.catch(() => {})
    return next
  }

  const leg: Leg = {
    rtp,
    remote: () => remote,
    isOver: () => endedBy !== null,
    offer: (audio) =>
      queued(async () => {
        const answer = await offerNow(audio)
        if (answer === null) return null
        remote = answer
        isElsewhere = true
        return answer
      }),
    comeBack: () =>
      queued(async () => {
        for (let tries = 0; isElsewhere && endedBy === null && tries < OFFER_TRIES; tries++) {
          const answer = await offerNow(ownAudio())
          if (answer === null) continue
          isElsewhere = false
          remote = answer
          rtp.aim(answer)
        }
        if (isElsewhere && endedBy === null) void session?.bye()
      }),
    leave() {
      if (isElsewhere) rtp.aim(null)
    },
    onReturned(listener) {
      returned = listener
    },
    onKey(listener) {
      keyListeners.add(listener)
      return () => keyListeners.delete(listener)
    },
    onEnd(listener) {
      if (endedBy === null) endListeners.push(listener)
      else queueMicrotask(() => guarded(listener, endedBy ?? 'them'))
    },
    hangUp() {
      if (session === null) end('us')
      else void session.bye()
    },
    play: (sound, loops) => (endedBy === null ? rtp.play(sound, loops) : Promise.resolve(false)),
  }

  return {
    leg,
    events,
    offerBody,
    answerBody,
    takeAnswer,
    start(started) {
      session = started
      if (started.isOver()) end('them')
    },
    abandon: end,
  }
}

function isSameAudio(one: Audio, other: Audio | null): boolean {
  return (
    other !== null &&
    one.address === other.address &&
    one.port === other.port &&
    one.direction === other.direction &&
    one.keys === other.keys
  )
}
