import { reasonTexts } from '@trunkline/contract/call-reasons'
import type { EndEvent, RTCSession } from 'jssip/lib/RTCSession'
import type { IncomingResponse } from 'jssip/lib/SIPMessage'
import type { CallOptions } from 'jssip/lib/UA'
import { preferOpus } from './opus.ts'
import { type Figures, judge, type Quality, readFigures } from './quality.ts'
import { findRecord } from './record.ts'
import { type Ear, isHeard, letGo, listenTo, openMicrophone, playRinging, readChosen } from './sound.ts'
import { type Help, helpFor, wordsOfAnswer, wordsOfMicrophone } from './words.ts'

export type Stage = 'microphone' | 'calling' | 'ringing' | 'talking' | 'ending' | 'over'

/** Duration and cost come from the call record. */
export type End = {
  words: string
  isFailure: boolean
  help: Help | null
  seconds: number | null
  cost: number | null
}

type Findings = { isMicrophoneHeard: boolean; isSent: boolean; isEchoHeard: boolean }

export type CallLook = {
  readonly number: string
  readonly isEcho: boolean
  /** Identifies the call in the list of live calls. */
  readonly sipAccount: string
  readonly stage: Stage
  readonly answeredAt: number | null
  readonly isMuted: boolean
  readonly digits: string
  readonly quality: Quality | null
  readonly figures: Figures
  readonly findings: Findings | null
  readonly end: End | null
}

type Deps = {
  number: string
  isEcho: boolean
  /** Identifies the call record. */
  phoneName: string
  dial: (options: CallOptions) => RTCSession
  onChange: (look: CallLook) => void
}

export type ActiveCall = ReturnType<typeof createCall>

const LOOK_EVERY_MS = 1_000
const TONE_MS = 160
const GAP_MS = 70
/** After this many checks without a packet, a call record means that the BYE was lost. */
const SILENT_LOOKS = 6
const GAVE_UP = 'You hung up before the call was answered.'
const nothing: Figures = { packetsSent: 0, packetsReceived: 0, packetsLost: 0, jitter: 0, roundTrip: null }

/** One call, from opening the microphone to its record. */
export function createCall({ number, isEcho, phoneName, dial, onChange }: Deps) {
  let look: CallLook = {
    number,
    isEcho,
    sipAccount: phoneName,
    stage: 'microphone',
    answeredAt: null,
    isMuted: false,
    digits: '',
    quality: null,
    figures: nothing,
    findings: null,
    end: null,
  }
  const speaker = new Audio()
  const begunAt = Date.now()
  let session: RTCSession | null = null
  let microphone: MediaStream | null = null
  let own: Ear | null = null
  let far: Ear | null = null
  let stopRinging = () => {}
  let looking: ReturnType<typeof setInterval> | undefined
  let before = nothing
  let silentLooks = 0

  function become(next: Partial<CallLook>): void {
    look = { ...look, ...next }
    onChange(look)
  }

  async function begin(): Promise<void> {
    try {
      microphone = await openMicrophone(readChosen().microphone)
    } catch (error) {
      return over({ words: wordsOfMicrophone(error), isFailure: true })
    }
    // Canceled while the browser asked for permission.
    if (look.stage !== 'microphone') return letGo(microphone)
    own = listenTo(microphone)
    become({ stage: 'calling' })
    session = dial({
      mediaStream: microphone,
      mediaConstraints: { audio: true, video: false },
      pcConfig: { iceServers: [] },
      eventHandlers: {
        sdp: preferOpus,
        peerconnection: ({ peerconnection }) => peerconnection.addEventListener('track', hear),
        progress: ({ response }: { response?: IncomingResponse }) => ringing(response),
        accepted: answered,
        ended: ({ originator, cause }) => finished(wordsOfEnd(originator, cause), false),
        failed,
      } as CallOptions['eventHandlers'],
    })
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
    if (silentLooks === SILENT_LOOKS && !isEcho && (await findRecord(phoneName, begunAt, 1))) hangUp()
  }

  function failed({ originator, message, cause }: EndEvent): void {
    const isAnswer =
      String(originator) === 'remote' && message && 'status_code' in message && message.status_code >= 300
    const answer = isAnswer && wordsOfAnswer(Number(message.status_code), String(message.reason_phrase))
    if (look.stage === 'ending') finished(GAVE_UP, false)
    else finished(answer || wordsOfFailure(cause), true)
  }

  /** Shows the end immediately; reason and cost follow with the record. */
  function finished(words: string, isFailure: boolean): void {
    if (look.stage === 'over') return
    over({ words, isFailure })
    if (isEcho) return
    void findRecord(phoneName, begunAt).then((record) => {
      if (!record || !look.end) return
      const { reason, duration, cost } = record
      const isOurs = reason === reasonTexts.hung_up_by_caller
      const end = { words: isOurs ? words : reason, seconds: duration, cost }
      become({ end: { ...look.end, ...end, help: helpFor(reason) } })
    })
  }

  function over({ words, isFailure }: Pick<End, 'words' | 'isFailure'>): void {
    release()
    become({ stage: 'over', end: { words, isFailure, help: helpFor(words), seconds: null, cost: null } })
  }

  function release(): void {
    clearInterval(looking)
    stopRinging()
    letGo(microphone)
    own?.close()
    far?.close()
    own = null
    far = null
    speaker.srcObject = null
  }

  function hangUp(): void {
    if (look.stage === 'over' || look.stage === 'ending') return
    if (session === null || session.isEnded()) over({ words: GAVE_UP, isFailure: false })
    else {
      become({ stage: 'ending' })
      session.terminate()
    }
  }

  async function hearThrough(deviceId: string): Promise<void> {
    if ('setSinkId' in speaker) await speaker.setSinkId(deviceId)
  }

  return {
    begin,
    hangUp,
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
      for (const track of microphone?.getAudioTracks() ?? []) track.enabled = !isMuted
      become({ isMuted })
    },

    hearThrough,
    async speakInto(deviceId: string): Promise<void> {
      const sender = session?.connection?.getSenders().find(({ track }) => track?.kind === 'audio')
      if (!sender) return
      const next = await openMicrophone(deviceId)
      const [track] = next.getAudioTracks()
      if (track) track.enabled = !look.isMuted
      await sender.replaceTrack(track ?? null)
      letGo(microphone)
      own?.close()
      microphone = next
      own = listenTo(next)
    },

    /** Ends the call because the phone was closed. */
    abandon(words: string): void {
      if (look.stage === 'over') return
      over({ words, isFailure: true })
      if (session && !session.isEnded()) session.terminate()
    },
  }
}

const wordsOfEnd = (originator: unknown, cause: string): string => {
  if (String(originator) === 'local') return 'You hung up.'
  return cause === 'RTP Timeout' ? 'The audio connection was lost.' : 'The other party hung up.'
}

function wordsOfFailure(cause: string): string {
  switch (cause) {
    case 'Connection Error':
    case 'Request Timeout':
      return 'The server did not respond. Please try again.'
    case 'Bad Media Description':
    case 'WebRTC Error':
      return 'The audio connection could not be set up.'
    default:
      return 'The call failed.'
  }
}
