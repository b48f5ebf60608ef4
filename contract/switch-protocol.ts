import { z } from 'zod'
import { fromSwitchBesidesCalls, gateway, toSwitchBesidesCalls, trunkId } from './switch-admission.ts'

/**
 * The protocol between switch and call control: JSON in netstrings over TCP. The switch listens, call control connects.
 * If several call control processes are connected, each receives every message. Every step is keyed by the call, so
 * repeating it has no effect. A switch can send several messages as one array.
 *
 * After a connection the switch sends `hello`, then all unacknowledged events. An event (`ringing`, `answered`, `ended`,
 * `unreleased`, `failed`, `media_failed`, `registered`, `unregistered`) has an id. The switch keeps it until call control acknowledges it
 * after the commit. Events can arrive twice, late and out of order, but are not lost while the switch runs.
 *
 * Times are milliseconds since 1970 by the switch's clock. The switch names calls (`call`) uniquely, also across restarts.
 */

const callName = z.string().min(1).max(120)
const at = z.number().int().nonnegative()

/** One attempt per trunk, in order: the carrier's SIP code, or 408 without an answer. */
const attempt = z.object({
  trunk: trunkId,
  code: z.number().int(),
  reason: z.string().max(200).default(''),
  /** Start of the attempt, and its end: the final reply or the timeout. */
  at: at.optional(),
  until: at.optional(),
})
export type TrunkAttempt = z.output<typeof attempt>

const hello = z.object({
  type: z.literal('hello'),
  switch: z.string().regex(/^[A-Za-z0-9._-]{1,60}$/),
  software: z.string().max(100),
  startedAt: at,
  /** True for the demo switch with generated calls. Their records are marked. */
  demo: z.boolean().default(false),
  /** Address and port at which other switches reach it over UDP. */
  sip: z
    .string()
    .regex(/^[A-Za-z0-9.:[\]-]{1,100}$/)
    .optional(),
  /** The switch answers `confirm` and reports lost messages, so that call control repeats them. */
  confirms: z.boolean().optional(),
})

/**
 * Requests admission, once per INVITE, and once more for each further leg of it. A repeat with the same call name gets the same answer.
 *
 * A SIP call can have several legs, each with its own name, hold and record: the incoming call of a number, then the outgoing leg to the
 * number it is forwarded to; or a customer's outgoing call, then the incoming leg of the other customer. The switch requests a further leg
 * when the plan of the leg before it says `next`. All legs of a SIP call are answered and end together.
 */
const authorize = z.object({
  type: z.literal('authorize'),
  call: callName,
  at,
  /** `in`: a carrier, or another customer, calls one of our numbers. */
  direction: z.enum(['out', 'in']).optional(),
  /** The leg whose plan requested this one, and the number of legs before it. */
  parent: callName.optional(),
  hops: z.number().int().nonnegative().optional(),
  /** Incoming calls: the caller's number as sent, empty if withheld; its name; and the number that diverted the call, if any. */
  from: z.string().max(100).optional(),
  fromName: z.string().max(100).optional(),
  isPrivate: z.boolean().optional(),
  diversion: z.string().max(100).optional(),
  /** Incoming calls: the source port, for carriers that are known by address and port. */
  port: z.number().int().optional(),
  /** Incoming calls: the trunk whose registrar calls our registration there. */
  registrar: z.number().int().positive().optional(),
  /** The user with a valid digest. Without one the source address identifies the account. */
  user: z.string().max(200).optional(),
  /** The unauthenticated username of an invalid digest. */
  claimed: z.string().max(200).optional(),
  address: z.string().max(100),
  /** User-Agent of the caller. */
  device: z.string().max(300).optional(),
  /** `leg~peer~...` for a call to phones that are registered here, and at another switch. */
  to: z.string().max(300),
  /** Call-ID of the caller, for comparison of logs and SIP traces. */
  sip: z.string().max(200).optional(),
  /** From tag of the caller. With the Call-ID it identifies the captured SIP messages of the call. */
  tag: z.string().max(200).optional(),
})

/**
 * `legs` are the other legs of the SIP call, nearest first, each with the target of its plan that led to this one (negative, as in
 * `allow`) and its attempts so far. The event applies to all of them.
 */
const otherLeg = z.object({
  call: callName,
  trunk: trunkId,
  attempts: z.array(attempt).default([]),
})
const legs = z.array(otherLeg).max(10).optional()
const event = { id: z.string().min(1).max(120), call: callName, at }
const legEvent = { ...event, legs }

/** `trunk` is the trunk, or the target of a ring plan: a negative number. */
const ringing = z.object({ type: z.literal('ringing'), ...legEvent, trunk: trunkId })
const answered = z.object({ type: z.literal('answered'), ...legEvent, trunk: trunkId })

/** An answered call has ended. Includes all fields of `answered`, in case that event did not arrive. */
const ended = z.object({
  type: z.literal('ended'),
  ...legEvent,
  answeredAt: at,
  trunk: trunkId,
  by: z.enum(['caller', 'callee', 'timeout', 'silence', 'control']),
  attempts: z.array(attempt).default([]),
  /** The From tag of the caller, and the reply of rtpengine to `query`. Missing if the switch could not ask. */
  media: z.object({ caller: z.string(), reply: z.unknown() }).optional().catch(undefined),
})

/** One side hung up, but the carrier has not confirmed it. The call is charged until the confirmation, which sends `ended`. */
const unreleased = z.object({ type: z.literal('unreleased'), ...event, trunk: trunkId })

/**
 * An admitted call failed. `code` is the SIP code sent to the caller; 487 means the caller canceled. It is 480 if a carrier got 482 for a
 * circle of forwards. A leg that failed while the leg before it goes on is reported without `legs`.
 */
const failed = z.object({
  type: z.literal('failed'),
  ...legEvent,
  code: z.number().int(),
  by: z.enum(['caller', 'carrier', 'control']).default('carrier'),
  attempts: z.array(attempt).default([]),
})

/** rtpengine has crashed or hung, and was restarted. Its answered calls have no audio, so the switch ends them. */
const mediaFailed = z.object({
  type: z.literal('media_failed'),
  id: event.id,
  at,
  calls: z.number().int().nonnegative(),
})

/** The live calls of the switch, in one or more messages. `last` marks the end of the list. */
const live = z.object({
  type: z.literal('live'),
  request: z.string().max(60),
  calls: z.array(
    z.object({
      call: callName,
      state: z.enum(['authorized', 'ringing', 'answered']),
      answeredAt: at.optional(),
      coveredSeconds: z.number().int().optional(),
    }),
  ),
  last: z.boolean(),
})

const registered = z.object({
  type: z.literal('registered'),
  id: event.id,
  at,
  user: z.string().max(200),
  contact: z.string().max(500),
  address: z.string().max(100),
  device: z.string().max(300).default(''),
  /** Expiry time, unless `unregistered` arrives first. The switch may skip refreshes that change nothing until then. */
  expiresAt: at,
})
const unregistered = z.object({
  type: z.literal('unregistered'),
  id: event.id,
  at,
  user: z.string().max(200),
  /** `*` means all contacts of the user. */
  contact: z.string().max(500),
})

/** Heartbeat, every few seconds. */
const alive = z.object({
  type: z.literal('alive'),
  at,
  /** Calls refused because of an overload, since the start of the switch. */
  refused: z.number().int().nonnegative().optional(),
})
const messageNumber = z.number().int().nonnegative()
/** The switch has lost messages after this number and handles none until it gets the next one. */
const missed = z.object({ type: z.literal('missed'), after: messageNumber })
/** The response to `confirm`: the number of the last message that the switch has received. */
const received = z.object({ type: z.literal('received'), number: messageNumber })

export const fromSwitch = z.discriminatedUnion('type', [
  hello,
  authorize,
  ringing,
  answered,
  ended,
  unreleased,
  failed,
  mediaFailed,
  live,
  registered,
  unregistered,
  alive,
  missed,
  received,
  ...fromSwitchBesidesCalls,
])
export type FromSwitch = z.output<typeof fromSwitch>
/** The messages in one netstring of a switch. */
export const messagesIn = (said: unknown): readonly unknown[] => (Array.isArray(said) ? said : [said])
export type FromSwitchOf<Type extends FromSwitch['type']> = Extract<FromSwitch, { type: Type }>
/** A message with an id, which the switch repeats until it is acknowledged. */
export type SwitchEvent = Extract<FromSwitch, { id: string }>

/**
 * The text of a message to a switch. Kamailio's evapi loses a message if a read ends within its length, and may then pass on the
 * beginning of the message as if it were the whole. So messages of one connection are numbered from 1, and each has a fixed end. The
 * switch parses the number by position, so it comes first. No message has fields named `sequence` or `end`: Kamailio rejects JSON in
 * which a name occurs twice.
 */
export const numbered = (message: ToSwitch, number: number): string =>
  `{"sequence":"${number}",${JSON.stringify(message).slice(1, -1)},"end":1}`

const allow = z.object({
  type: z.literal('allow'),
  call: callName,
  callerId: z.string(),
  /** The switch ends the call this many seconds after the answer, unless `extend` arrives first. */
  coveredSeconds: z.number().int().positive(),
  /** Name shown to the called party. */
  callerName: z.string().optional(),
  /** The caller's number must not be shown to the called party. */
  isPrivate: z.boolean().optional(),
  /** Diversion header for the called party: the number that forwarded the call. */
  diversion: z.string().optional(),
  /** The number that was called, in E.164 digits: the To header for phones. */
  number: z.string().optional(),
  /**
   * The plan of a call to one of our numbers, tried in order; `trunks` is empty then. Each target has a negative id. `phones` are accounts
   * whose registered contacts ring at once; an account without one is skipped. An entry that starts with `sip:` is a call to another switch,
   * where more of these phones are registered; it rings with the others. `uri` is a PBX, or a media process if `isMedia`, which gets
   * G.711 and replies immediately. `next` requests another leg. A target with `isSpare` is skipped if the media process before it took
   * the call: it replied, not with a code from 500 to 599, and did not fall silent. `seconds` of a media process start again with each
   * of its replies. With `mutes` the called side does not hear the caller from the answer on, until an announcement is over.
   */
  plan: z
    .array(
      z.object({
        id: trunkId,
        seconds: z.number().int().positive(),
        phones: z.array(z.string()).optional(),
        uri: z.string().optional(),
        isMedia: z.boolean().optional(),
        isSpare: z.boolean().optional(),
        next: z
          .object({
            direction: z.enum(['out', 'in']),
            user: z.string().optional(),
            to: z.string(),
            mutes: z.boolean().optional(),
          })
          .optional(),
      }),
    )
    .optional(),
  /** The final reply if the plan ends without an answer and without a better code: 480 or 486. */
  lastCode: z.number().int().optional(),
  /** In failover order, each with the number in the carrier's format. */
  trunks: z.array(
    z.object({
      id: trunkId,
      ...gateway,
      number: z.string(),
      username: z.string().optional(),
      password: z.string().optional(),
    }),
  ),
})
const refuse = z.object({
  type: z.literal('refuse'),
  call: callName,
  code: z.number().int(),
  reason: z.string(),
})
/** Extends to a total of seconds after the answer. A smaller total changes nothing. */
const extend = z.object({
  type: z.literal('extend'),
  call: callName,
  coveredSeconds: z.number().int().positive(),
})
/** Ends or cancels the call. Unknown calls are ignored. */
const hangup = z.object({ type: z.literal('hangup'), call: callName, reason: z.string() })
/** Both sides hear each other again: no media process plays an announcement to them, or it takes too long. Unknown calls are ignored. */
const unmute = z.object({ type: z.literal('unmute'), call: callName })
/** Requests `live`. */
const list = z.object({ type: z.literal('list'), request: z.string() })
/** Confirms that these events are committed. */
const ack = z.object({ type: z.literal('ack'), ids: z.array(z.string()) })
/** Requests `received`. Only for a switch that `confirms`. */
const confirm = z.object({ type: z.literal('confirm') })

export const toSwitch = z.discriminatedUnion('type', [
  allow,
  refuse,
  extend,
  hangup,
  unmute,
  list,
  ack,
  confirm,
  ...toSwitchBesidesCalls,
])
export type ToSwitch = z.output<typeof toSwitch>
export type ToSwitchOf<Type extends ToSwitch['type']> = Extract<ToSwitch, { type: Type }>
