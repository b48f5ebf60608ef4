import { type Destination, deviceGroups, type RingPlan } from '@trunkline/domain/ringing'
import { z } from 'zod'
import { TimeZone } from './cdr.ts'
import { textUpTo } from './fields.ts'
import { normalHost } from './hosts.ts'
import { HOST_MAX, NUMBER_LABEL_MAX, RING_RULES_MAX, RING_SECONDS_MAX, RING_STEPS_MAX } from './limits.ts'
import { ownMessages } from './messages.ts'
import { GivenId } from './money.ts'

/** Where a rented number rings, as it is sent and stored. */

const Seconds = z
  .int(ownMessages.ringSecondsInvalid)
  .min(5, ownMessages.ringSecondsInvalid)
  .max(RING_SECONDS_MAX, ownMessages.ringSecondsInvalid)

export const GivenPhones = z.strictObject({
  kind: z.literal('phones'),
  /** Tried in order. The devices of a step ring at once. */
  steps: z
    .array(z.strictObject({ devices: z.enum(deviceGroups), seconds: Seconds }))
    .min(1)
    .max(RING_STEPS_MAX),
})

export const GivenPbx = z.strictObject({
  kind: z.literal('pbx'),
  /** One of the account's trusted addresses. */
  address: z
    .string()
    .trim()
    .max(HOST_MAX)
    .refine((host) => normalHost(host) !== null, ownMessages.trunkHostInvalid)
    .transform((host) => normalHost(host) ?? host),
  port: z.int().min(1).max(65_535).default(5060),
  transport: z.enum(['udp', 'tcp', 'tls']).default('udp'),
  seconds: Seconds,
})

const GivenDestination = z.discriminatedUnion('kind', [
  GivenPhones,
  GivenPbx,
  z.strictObject({
    kind: z.literal('number'),
    /** In international format. */
    number: z
      .string()
      .trim()
      .regex(/^\+?[0-9 ().-]{5,30}$/, ownMessages.forwardNumberInvalid)
      .transform((number) => number.replace(/\D/g, '')),
    /** The number that the called party sees: the rented number or the caller's. */
    callerId: z.enum(['number', 'caller']).default('number'),
    seconds: Seconds,
  }),
  z.strictObject({ kind: z.literal('flow'), flowId: GivenId }),
  z.strictObject({ kind: z.literal('voicemail') }),
  z.strictObject({ kind: z.literal('busy') }),
]) satisfies z.ZodType<Destination>

const Minute = z.int().min(0).max(1440)

export const GivenRingPlan = z.strictObject({
  timeZone: TimeZone,
  /** The first rule that matches the time decides. Minutes after midnight in the time zone; 1 is Monday. */
  rules: z
    .array(
      z.strictObject({
        name: textUpTo(NUMBER_LABEL_MAX),
        days: z.array(z.int().min(1).max(7)).min(1).max(7),
        from: Minute,
        to: Minute,
        destination: GivenDestination,
      }),
    )
    .max(RING_RULES_MAX),
  destination: GivenDestination,
  fallback: GivenDestination.nullable(),
}) satisfies z.ZodType<RingPlan>

/** Stored plans were validated when they were saved. */
export const RingPlanView = z.custom<RingPlan>()
