import { createAudioCopy } from './audio-copy.ts'
import { createConversation } from './conversation.ts'
import type {
  AudioCopy,
  Conversation,
  Endpoint,
  EndpointOptions,
  IncomingCall,
  OutgoingCall,
} from './endpoint.ts'
import { createLeg, type NewLeg } from './leg.ts'
import { createRtpPorts } from './rtp/ports.ts'
import { createRtpSession } from './rtp/session.ts'
import { createTicker } from './rtp/ticker.ts'
import { parseSdp } from './sdp.ts'
import { type Agent, startAgent } from './sip/agent.ts'
import { bracketed, displayNameOf, type Header, headerOf, hostOf, uriOf, userOf } from './sip/message.ts'
import type { Ringing } from './sip/uas.ts'

/** Starts the SIP endpoint. It rejects if the port is in use. */
export async function startEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const advertisedHost = options.advertisedHost ?? options.host
  const onError = options.onError ?? (() => {})
  const ticker = createTicker(onError, options.onLateness)
  const ports = createRtpPorts(options.host, options.rtpPorts)
  /** Calls that have not ended. */
  const live = new Set<object>()

  const outgoing = new Set<() => void>()

  function isAllowed(address: string): boolean {
    try {
      return options.isAllowed(address)
    } catch (error) {
      onError(error)
      return false
    }
  }

  const agent: Agent = await startAgent({
    host: options.host,
    port: options.port,
    advertisedHost,
    isAllowed,
    onCall: receive,
    onError,
  })

  async function openLeg(): Promise<NewLeg> {
    const socket = await ports.open()
    const created = createLeg({
      openRtp: (onKey, onDead) => createRtpSession(socket, ticker, { onKey, onDead, onError }),
      host: advertisedHost,
      onError,
      onOver: () => live.delete(created),
    })
    live.add(created)
    return created
  }

  function receive(ringing: Ringing) {
    const { invite } = ringing
    if (invite.body !== '' && parseSdp(invite.body) === null)
      return ringing.reject(488, 'Not Acceptable Here')
    live.add(ringing)
    ringing.onOver(() => live.delete(ringing))
    let answered: Promise<Conversation> | null = null
    const from = headerOf(invite, 'from')
    const call: IncomingCall = {
      user: userOf(invite.uri),
      sipCallId: headerOf(invite, 'call-id'),
      from: { user: userOf(uriOf(from)), name: displayNameOf(from) },
      switch: switchOf(ringing),
      ring: ringing.ring,
      repeatTrying: ringing.repeatTrying,
      answer() {
        answered ??= answer(ringing)
        return answered
      },
      reject: (code, reason) => {
        if (!answered) ringing.reject(validCode(code), oneLine(reason))
      },
      onCanceled: ringing.onCanceled,
    }
    try {
      options.onCall(call)
    } catch (error) {
      onError(error)
      ringing.reject(500, 'Server Internal Error')
    }
  }

  function switchOf({ invite, connection }: Ringing): { host: string; port: number } {
    const sentBy = /^SIP\/2\.0\/\w+\s+([^;,\s]+)/i.exec(headerOf(invite, 'via'))?.[1] ?? ''
    const named = hostOf(`sip:${sentBy}`)
    const isKnown = named !== null && isAllowed(named.host)
    return { host: isKnown ? named.host : connection.address, port: named?.port ?? 5060 }
  }

  /** Resolves with a conversation that has ended if the caller hangs up meanwhile. Rejects if no RTP port is free. */
  async function answer(ringing: Ringing): Promise<Conversation> {
    const opened = await openLeg().catch((error: unknown) => {
      ringing.reject(503, 'Service Unavailable')
      throw error
    })
    const { invite } = ringing
    const body = invite.body === '' ? opened.offerBody() : opened.answerBody(invite.body)
    const session = body === null ? null : ringing.answer(body, opened.events)
    if (session) opened.start(session)
    else opened.abandon('them')
    return createConversation(opened.leg, onError)
  }

  function call(wanted: Parameters<Endpoint['call']>[0]): OutgoingCall {
    const ringingListeners: (() => void)[] = []
    const pending = {}
    live.add(pending)
    let isRinging = false
    let cancel: () => void = () => {}
    const cancelNow = () => cancel()
    const result = new Promise<Awaited<OutgoingCall['result']>>((resolve) => {
      let isOver = false
      const finish = (outcome: Awaited<OutgoingCall['result']>) => {
        isOver = true
        live.delete(pending)
        outgoing.delete(cancelNow)
        resolve(outcome)
      }
      const fail = (code: number, reason: string) => finish({ type: 'failed', code, reason })
      cancel = () => fail(487, 'Request Terminated')
      outgoing.add(cancelNow)
      openLeg()
        .then((opened) => {
          if (isOver) return opened.abandon('us')
          const target = `${bracketed(wanted.host)}:${wanted.port}`
          let isUsable = false
          const placed = agent.place(
            {
              host: wanted.host,
              port: wanted.port,
              uri: `sip:${escapedUser(wanted.user)}@${target}`,
              from: `<sip:${escapedUser(wanted.username)}@${target}>`,
              credentials: { username: wanted.username, password: wanted.password },
              headers: (wanted.headers ?? []).map(cleanHeader),
              body: opened.offerBody(),
            },
            {
              onRinging() {
                isRinging = true
                for (const listener of ringingListeners.splice(0)) listener()
              },
              onFailed(code, reason) {
                opened.abandon('them')
                fail(code, reason)
              },
              onAnswered(body) {
                isUsable = opened.takeAnswer(body)
                return opened.events
              },
              onSession(session) {
                opened.start(session)
                if (isUsable)
                  return finish({ type: 'answered', conversation: createConversation(opened.leg, onError) })
                void session.bye()
                fail(488, 'Not Acceptable Here')
              },
            },
          )
          cancel = placed.cancel
        })
        .catch((error: unknown) => {
          onError(error)
          fail(503, 'Service Unavailable')
        })
    })
    return {
      result,
      onRinging(listener) {
        if (isRinging) queueMicrotask(listener)
        else ringingListeners.push(listener)
      },
      cancel: cancelNow,
    }
  }

  async function openCopy(offer: string): Promise<AudioCopy | null> {
    const offered = parseSdp(offer)
    if (!offered) return null
    const socket = await ports.open()
    return createAudioCopy({
      openRtp: (onKey) => createRtpSession(socket, ticker, { onKey, onDead: () => {}, onError }),
      offered,
      host: advertisedHost,
    })
  }

  return {
    port: agent.port,
    liveCalls: () => live.size,
    call,
    openCopy,
    async close() {
      for (const cancel of [...outgoing]) cancel()
      await agent.close()
      ticker.close()
    },
  }
}

const validCode = (code: number): number => (Number.isInteger(code) && code >= 300 && code < 700 ? code : 500)

/** Values from outside must not add headers. */
const oneLine = (text: string): string =>
  Buffer.from(text.replace(/[\r\n\0]+/g, ' '), 'utf8').toString('latin1')

const cleanHeader = ([name, value]: readonly [string, string]): Header => [
  name.toLowerCase().replace(/[^a-z0-9.!%*_+`'~-]/g, ''),
  oneLine(value),
]

const escapedUser = (user: string): string => encodeURIComponent(user).replaceAll('%2B', '+')
