import { reasonTexts } from '@trunkline/contract/call-reasons'
import type { EndEvent, RTCSession } from 'jssip/lib/RTCSession'
import type { IncomingResponse } from 'jssip/lib/SIPMessage'
import type { CallOptions } from 'jssip/lib/UA'
import { type Caller, isAnsweredElsewhere } from './caller.ts'
import { letSwitchStart, preferOpus } from './descriptions.ts'
import { type Figures, judge, type Quality, readFigures } from './quality.ts'
import { findRecord } from './record.ts'
import { surviveRefusedOffers } from './refused-offers.ts'
import type { Paths } from './relays.ts'
import { type Ear, isHeard, letGo, listenTo, openMicrophone, playRinging, readChosen } from './sound.ts'
import { type Help, helpFor, wordsOfAnswer, wordsOfEnd, wordsOfFailure, wordsOfMicrophone } from './words.ts'

/** `incoming` rings here; `ringing` rings at the other end. */
export type Stage = 'incoming' | 'microphone' | 'calling' | 'ringing' | 'talking' | 'ending' | 'over'

/** Duration and cost come from the call record. */
export type End = {
  words: string
  isFailure: boolean
  help: Help | null
  seconds: number | null
  cost: number | null
}

type Findings = { isMicrophoneHeard: boolean; isSent: boolean; isEchoHeard: boolean }

/** The end of an incoming call that was not answered here. */
export type Unanswered = 'missed' | 'elsewhere' | 'declined'

export type CallLook = {
  readonly id: string
  /** The dialed number, or that of the caller. Empty if the caller hides it. */
  readonly number: string
  /** Null for an outgoing call. */
  readonly caller: Caller | null
  readonly isEcho: boolean
  /** Identifies the call in the list of live calls. */
  readonly sipAccount: string
  readonly stage: Stage
  readonly answeredAt: number | null
  readonly isMuted: boolean
  readonly isHeld: boolean
  /** An incoming call makes no sound any more, but still rings at the caller. */
  readonly isSilenced: boolean
  /** Why an incoming call could not be answered. It can be tried again. */
  readonly problem: string | null
  readonly digits: string
  readonly quality: Quality | null
  readonly figures: Figures
  readonly findings: Findings | null
  readonly end: End | null
  readonly unanswered: Unanswered | null
}

type Deps = {
  id: string
  number: string
  isEcho: boolean
  /** Identifies the call record. */
  phoneName: string
  paths: Paths
  /** Null for an incoming call. */
  dial: ((options: CallOptions) => RTCSession) | null
  incoming: { caller: Caller; session: RTCSession } | null
  onChange: (look: CallLook) => void
}

export type ActiveCall = ReturnType<typeof createCall>

const LOOK_EVERY_MS = 1_000
const TONE_MS = 160
const GAP_MS = 70
/** After this many checks without a packet, a call record means that the BYE was lost. */
const SILENT_LOOKS = 6
export const DECLINED = 603
/** The server closes an ended phone within this time after it has hung up. */
const CLOSED_WITHIN_MS = 15_000
const GAVE_UP = 'You hung up before the call was answered.'
const nothing: Figures = { packetsSent: 0, packetsReceived: 0, packetsLost: 0, jitter: 0, roundTrip: null }

/** One call, from opening the microphone to its record. */
export function createCall({ id, number, isEcho, phoneName, paths, dial, incoming, onChange }: Deps) {
  let look: CallLook = {
    id,
    number,
    caller: incoming?.caller ?? null,
    isEcho,
    sipAccount: phoneName,
    stage: incoming ? 'incoming' : 'microphone',
    answeredAt: null,
    isMuted: false,
    isHeld: false,
    isSilenced: false,
    problem: null,
    digits: '',
    quality: null,
    figures: nothing,
    findings: null,
    end: null,
    unanswered: null,
  }
  const speaker = new Audio()
  const begunAt = Date.now()
  let session: RTCSession | null = incoming?.session ?? null
  let microphone: MediaStream | null = null
  let own: Ear | null = null
  let far: Ear | null = null
  let stopRinging = () => {}
  let stopOffering = () => {}
  let looking: ReturnType<typeof setInterval> | undefined
  let before = nothing
  let silentLooks = 0
  let endedAt = 0
  /** Why the phone was closed during the call. */
  let closedWith: string | null = null

  function become(next: Partial<CallLook>): void {
    look = { ...look, ...next }
    onChange(look)
  }

  function soundOf(connection: RTCPeerConnection): void {
    connection.addEventListener('track', hear)
  }

  async function begin(): Promise<void> {
    try {
      microphone = await openMicrophone(readChosen().microphone)
    } catch (error) {
      return over({ words: wordsOfMicrophone(error), isFailure: true })
    }
    const pcConfig = await paths.configuration()
    // Canceled while the browser asked for permission.
    if (look.stage !== 'microphone' || !dial) return letGo(microphone)
    own = listenTo(microphone)
    become({ stage: 'calling' })
    session = dial({
      mediaStream: microphone,
      mediaConstraints: { audio: true, video: false },
      pcConfig,
      eventHandlers: {
        sdp: preferOpus,
        icecandidate: paths.onCandidate(),
        peerconnection: ({ peerconnection }) => soundOf(peerconnection),
        progress: ({ response }: { response?: IncomingResponse }) => ringing(response),
        accepted: answered,
        ended: ({ originator, cause }) => finished(wordsOfEnd(originator, cause), false),
        failed,
      } as CallOptions['eventHandlers'],
    })
  }

  /** Opens the microphone, then calls `onReady` and answers. If the microphone fails, the call rings on. */
  async function answer(onReady: () => void): Promise<void> {
    if (!incoming || look.stage !== 'incoming') return
    become({ stage: 'microphone', problem: null })
    const isAnswering = () => look.stage === 'microphone'
    let opened: MediaStream
    try {
      opened = await openMicrophone(readChosen().microphone)
    } catch (error) {
      if (isAnswering()) become({ stage: 'incoming', problem: wordsOfMicrophone(error, 'answer') })
      return
    }
    const pcConfig = await paths.configuration()
    // The caller gave up, or another device answered.
    if (!isAnswering()) return letGo(opened)
    onReady()
    microphone = opened
    own = listenTo(opened)
    become({ stage: 'calling' })
    incoming.session.on('icecandidate', paths.onCandidate())
    incoming.session.answer({
      mediaStream: opened,
      mediaConstraints: { audio: true, video: false },
      pcConfig,
    })
  }

  if (incoming) {
    const { session: ringing } = incoming
    ringing.on('peerconnection', ({ peerconnection }) => soundOf(peerconnection))
    ringing.on('sdp', letSwitchStart)
    ringing.on('accepted', answered)
    ringing.on('ended', ({ originator, cause }) => finished(wordsOfEnd(originator, cause), false))
    ringing.on('failed', stoppedRinging)
  }

  function stoppedRinging({ originator, message, cause }: EndEvent): void {
    if (look.stage === 'over') return
    const wasAnswering = look.stage === 'calling' && String(originator) !== 'remote' && !look.unanswered
    if (wasAnswering) {
      over({ words: wordsOfFailure(cause), isFailure: true })
      return
    }
    // JsSIP has no message if it ended the call itself.
    const reason = message && 'getHeader' in message ? message.getHeader('Reason') : undefined
    const isElsewhere = isAnsweredElsewhere(reason)
    const unanswered = look.unanswered ?? (isElsewhere ? 'elsewhere' : 'missed')
    become({ unanswered })
    over({ words: unansweredWords[unanswered], isFailure: false })
  }

  function hear({ streams: [stream], track }: RTCTrackEvent): void {
    const heard = stream ?? new MediaStream([track])
    speaker.srcObject = heard
    const { speaker: chosen } = readChosen()
    if (chosen) void hearThrough(chosen).catch(() => {})
    void speaker.play().catch(() => {})
    far ??= listenTo(heard)
  }

  function ringing(response: IncomingResponse | undefined): void {
    if (look.stage !== 'calling') return
    // With early media the carrier plays its own tone.
    if (!response?.body) stopRinging = playRinging()
    become({ stage: 'ringing' })
  }

  function answered(): void {
    stopRinging()
    if (session) stopOffering = surviveRefusedOffers(session, () => session?.renegotiate())
    become({ stage: 'talking', answeredAt: Date.now() })
    looking = setInterval(() => void inspect(), LOOK_EVERY_MS)
  }

  async function inspect(): Promise<void> {
    const reports = await session?.connection?.getStats()
    if (!reports || look.stage !== 'talking') return
    const figures = readFigures(reports.values())
    const quality = judge(before, figures)
    silentLooks = figures.packetsReceived > before.packetsReceived ? 0 : silentLooks + 1
    before = figures
    const findings = {
      isMicrophoneHeard: isHeard(own?.peak() ?? 0),
      isSent: figures.packetsReceived > 0,
      isEchoHeard: isHeard(far?.peak() ?? 0),
    }
    become({ figures, quality: quality ?? look.quality, findings })
    negotiateHold()
    if (silentLooks === SILENT_LOOKS && !isEcho && !incoming && (await findRecord(phoneName, begunAt, 1)))
      hangUp()
  }

  function failed({ originator, message, cause }: EndEvent): void {
    const isAnswer =
      String(originator) === 'remote' && message && 'status_code' in message && message.status_code >= 300
    const answer = isAnswer && wordsOfAnswer(Number(message.status_code), String(message.reason_phrase))
    if (look.stage === 'ending') finished(GAVE_UP, false)
    else finished(answer || wordsOfFailure(cause), true)
  }

  const talkedSeconds = (): number | null =>
    look.answeredAt === null ? null : Math.floor((Date.now() - look.answeredAt) / 1_000)

  /** Shows the end immediately; reason and cost follow with the record. */
  function finished(words: string, isFailure: boolean): void {
    if (look.stage === 'over') return
    over({ words, isFailure, seconds: incoming ? talkedSeconds() : null })
    if (isEcho || incoming) return
    void findRecord(phoneName, begunAt).then((record) => {
      if (!record || !look.end) return
      const { reason, duration, cost } = record
      const isOurs = reason === reasonTexts.hung_up_by_caller
      const end = { words: isOurs ? words : reason, seconds: duration, cost }
      become({ end: { ...look.end, ...end, help: helpFor(reason) } })
      explainClosing()
    })
  }

  /** The server may hang up before it closes the phone. Its record only says that the phone was gone. */
  function explainClosing(): void {
    if (!closedWith || look.end?.words !== reasonTexts.browser_gone) return
    become({ end: { ...look.end, words: closedWith, isFailure: true, help: helpFor(closedWith) } })
  }

  function over({ words, isFailure, seconds = null }: Pick<End, 'words' | 'isFailure'> & Partial<End>): void {
    release()
    endedAt = Date.now()
    become({ stage: 'over', end: { words, isFailure, help: helpFor(words), seconds, cost: null } })
  }

  function release(): void {
    clearInterval(looking)
    stopRinging()
    stopOffering()
    letGo(microphone)
    own?.close()
    far?.close()
    own = null
    far = null
    speaker.srcObject = null
  }

  function listenAndSpeak(): void {
    for (const track of microphone?.getAudioTracks() ?? []) track.enabled = !look.isMuted && !look.isHeld
    speaker.muted = look.isHeld
  }

  /** Without a reply to the re-INVITE the call is at least silent here. */
  function hold(isHeld: boolean): void {
    if (look.stage !== 'talking' || look.isHeld === isHeld) return
    become({ isHeld })
    negotiateHold()
  }

  /** JsSIP ignores this while another re-INVITE is pending, so it is repeated after that one and every second. */
  function negotiateHold(): void {
    listenAndSpeak()
    if (look.stage !== 'talking' || !session || session.isOnHold().local === look.isHeld) return
    if (look.isHeld) session.hold({}, negotiateHold)
    else session.unhold({}, negotiateHold)
  }

  function decline(code: number): void {
    if (!incoming || look.answeredAt !== null || look.stage === 'over') return
    become({ unanswered: 'declined' })
    if (incoming.session.isEnded()) over({ words: unansweredWords.declined, isFailure: false })
    else incoming.session.terminate({ status_code: code })
  }

  function hangUp(): void {
    if (look.stage === 'over' || look.stage === 'ending') return
    if (incoming && look.answeredAt === null) decline(DECLINED)
    else if (session === null || session.isEnded()) over({ words: GAVE_UP, isFailure: false })
    else {
      become({ stage: 'ending' })
      session.terminate()
    }
  }

  async function hearThrough(deviceId: string): Promise<void> {
    if ('setSinkId' in speaker) await speaker.setSinkId(deviceId)
  }

  return {
    id,
    begin,
    answer,
    decline,
    silence: (): void => become({ isSilenced: true }),
    hold,
    hangUp,
    look: (): CallLook => look,
    isLive: (): boolean => look.stage !== 'over',
    /** Audio levels from 0 to 1. */
    levels: () => ({ own: own?.level() ?? 0, far: far?.level() ?? 0 }),

    press(digit: string): void {
      const sender = session?.connection?.getSenders().find(({ dtmf }) => dtmf)?.dtmf
      if (look.stage !== 'talking' || !sender) return
      // insertDTMF replaces the pending tones, so they are sent again.
      sender.insertDTMF(sender.toneBuffer + digit, TONE_MS, GAP_MS)
      become({ digits: `${look.digits}${digit}`.slice(-32) })
    },

    mute(isMuted: boolean): void {
      become({ isMuted })
      listenAndSpeak()
    },

    hearThrough,
    async speakInto(deviceId: string): Promise<void> {
      const sender = session?.connection?.getSenders().find(({ track }) => track?.kind === 'audio')
      if (!sender) return
      const next = await openMicrophone(deviceId)
      const [track] = next.getAudioTracks()
      if (track) track.enabled = !look.isMuted && !look.isHeld
      await sender.replaceTrack(track ?? null)
      letGo(microphone)
      own?.close()
      microphone = next
      own = listenTo(next)
    },

    /** Ends the call because the phone was closed. */
    abandon(words: string): void {
      if (look.stage === 'over' && Date.now() - endedAt > CLOSED_WITHIN_MS) return
      closedWith = words
      explainClosing()
      if (look.stage === 'over') return
      if (incoming && look.answeredAt === null) become({ unanswered: 'missed' })
      over({ words, isFailure: true })
      if (session && !session.isEnded()) session.terminate()
    },
  }
}

const unansweredWords: Record<Unanswered, string> = {
  missed: 'Nobody answered.',
  elsewhere: 'Answered on another device.',
  declined: 'You declined the call.',
}
