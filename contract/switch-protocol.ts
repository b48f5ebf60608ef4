import { z } from 'zod'
import { fromSwitchBesidesCalls, toSwitchBesidesCalls } from './switch-admission.ts'

/**
 * What a switch and call control say to each other: JSON in netstrings over TCP. The switch listens, call control connects,
 * and several call controls may be connected at once; then each hears everything, and every step is keyed by the call, so
 * that doing it twice is doing it once. A switch may say several things at once, as an array.
 *
 * After a connection the switch says, in this order: `hello`, then every event it still keeps. An event (`ringing`, `answered`,
 * `ended`, `unreleased`, `failed`, `registered`, `unregistered`) has an id and is kept by the switch until a call control has acknowledged it, which
 * happens after it is committed. So events can come twice, late, and out of order; they are never lost while the switch lives.
 *
 * Times are milliseconds since 1970 by the switch's clock. A call is named by the switch (`call`), uniquely over its restarts.
 */

const callName = z.string().min(1).max(120)
const at = z.number().int().nonnegative()
const trunkId = z.number().int()

/** What was tried, in order: the carrier's SIP code, or 408 where none came. */
const attempt = z.object({ trunk: trunkId, code: z.number().int(), reason: z.string().max(200).default('') })
export type TrunkAttempt = z.output<typeof attempt>

const hello = z.object({
  type: z.literal('hello'),
  switch: z.string().regex(/^[A-Za-z0-9._-]{1,60}$/),
  software: z.string().max(100),
  startedAt: at,
  /** Its calls are made up. Their records are marked. */
  demo: z.boolean().default(false),
})

/** May this call be made? Asked once per INVITE; asked again under the same name it is the same question. */
const authorize = z.object({
  type: z.literal('authorize'),
  call: callName,
  at,
  /** The user whose digest was right. Without one the source address decides who it is. */
  user: z.string().max(200).optional(),
  /** The name that was given with a wrong digest. It proves nothing. */
  claimed: z.string().max(200).optional(),
  address: z.string().max(100),
  to: z.string().max(100),
  /** The Call-ID by which the caller's own log and a SIP trace know it; for our log. */
  sip: z.string().max(200).optional(),
})

const event = { id: z.string().min(1).max(120), call: callName, at }

const ringing = z.object({ type: z.literal('ringing'), ...event, trunk: trunkId })
const answered = z.object({ type: z.literal('answered'), ...event, trunk: trunkId })

/** A call that was answered is over. It says all by itself, in case `answered` was never heard. */
const ended = z.object({
  type: z.literal('ended'),
  ...event,
  answeredAt: at,
  trunk: trunkId,
  by: z.enum(['caller', 'callee', 'timeout', 'silence', 'control']),
  attempts: z.array(attempt).default([]),
})

/** Somebody hung up, and the carrier does not confirm it. The call is charged until it does, and then told as `ended`. */
const unreleased = z.object({ type: z.literal('unreleased'), ...event, trunk: trunkId })

/** A call that was admitted came to nothing. `code` is what the caller was told; 487 is the caller giving up. */
const failed = z.object({
  type: z.literal('failed'),
  ...event,
  code: z.number().int(),
  by: z.enum(['caller', 'carrier', 'control']).default('carrier'),
  attempts: z.array(attempt).default([]),
})

/** The calls the switch has, in one message or several; `last` says that the list is whole. */
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
  /** Gone then, should the switch not say so before. A refresh that changes nothing need not be told before this runs out. */
  expiresAt: at,
})
const unregistered = z.object({
  type: z.literal('unregistered'),
  id: event.id,
  at,
  user: z.string().max(200),
  /** `*` stands for all of this user. */
  contact: z.string().max(500),
})

/** Nothing but a sign of life, every few seconds. */
const alive = z.object({ type: z.literal('alive'), at })

export const fromSwitch = z.discriminatedUnion('type', [
  hello,
  authorize,
  ringing,
  answered,
  ended,
  unreleased,
  failed,
  live,
  registered,
  unregistered,
  alive,
  ...fromSwitchBesidesCalls,
])
export type FromSwitch = z.output<typeof fromSwitch>
/** What one netstring of a switch holds. */
export const saidAtOnce = (said: unknown): readonly unknown[] => (Array.isArray(said) ? said : [said])
export type FromSwitchOf<Type extends FromSwitch['type']> = Extract<FromSwitch, { type: Type }>
/** What has an id, is kept until acknowledged, and may come again. */
export type SwitchEvent = Extract<FromSwitch, { id: string }>

const allow = z.object({
  type: z.literal('allow'),
  call: callName,
  callerId: z.string(),
  /** The call ends so many seconds after the answer unless `extend` comes first. */
  coveredSeconds: z.number().int().positive(),
  /** Tried in this order, each with the number as that carrier wants it. */
  trunks: z.array(
    z.object({
      id: trunkId,
      host: z.string(),
      port: z.number().int(),
      transport: z.enum(['udp', 'tcp', 'tls']),
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
/** To a total of seconds after the answer, not by so many. A smaller total than before changes nothing. */
const extend = z.object({
  type: z.literal('extend'),
  call: callName,
  coveredSeconds: z.number().int().positive(),
})
/** Ends the call, or gives it up while it rings. A call that is not there is no fault. */
const hangup = z.object({ type: z.literal('hangup'), call: callName, reason: z.string() })
/** Asks for `live`. */
const list = z.object({ type: z.literal('list'), request: z.string() })
/** These events are committed and need not be kept. */
const ack = z.object({ type: z.literal('ack'), ids: z.array(z.string()) })

export const toSwitch = z.discriminatedUnion('type', [
  allow,
  refuse,
  extend,
  hangup,
  list,
  ack,
  ...toSwitchBesidesCalls,
])
export type ToSwitch = z.output<typeof toSwitch>
export type ToSwitchOf<Type extends ToSwitch['type']> = Extract<ToSwitch, { type: Type }>
