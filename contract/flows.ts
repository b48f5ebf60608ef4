import { comparisons, type Flow, keys, languages, type Step } from '@trunkline/domain/flows'
import { z } from 'zod'
import { TimeZone } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp, textUpTo } from './fields.ts'
import {
  FLOW_BYTES_MAX,
  FLOW_EXITS_MAX,
  FLOW_NAME_MAX,
  FLOW_NOTE_MAX,
  FLOW_STEPS_MAX,
  FLOW_TEXT_MAX,
  FLOW_WAIT_SECONDS_MAX,
  MESSAGE_SECONDS_MAX,
} from './limits.ts'
import { keepUnder, ownMessages } from './messages.ts'
import { GivenId, IdInPath } from './money.ts'
import { GivenPbx, GivenPhones } from './ring-plans.ts'

/** Flows: IVRs that customers draw. The same JSON is exported, imported, stored and sent. */

const StepId = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/)
const Variable = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/)
const Text = z.string().max(FLOW_TEXT_MAX, keepUnder(FLOW_TEXT_MAX))
const Seconds = z.int().min(1).max(FLOW_WAIT_SECONDS_MAX)
const Repeats = z.int().min(0).max(9)
const Minute = z.int().min(0).max(1440)

const GivenSound = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: Text, language: z.enum(languages).default('en') }),
  z.strictObject({ kind: z.literal('file'), soundId: GivenId }),
])

const base = {
  id: StepId,
  name: textUpTo(FLOW_NAME_MAX),
  x: z.number().min(-100_000).max(100_000),
  y: z.number().min(-100_000).max(100_000),
  exits: z
    .record(z.string().regex(/^[a-z_]{1,20}([0-9*#])?$/), StepId)
    .refine((exits) => Object.keys(exits).length <= FLOW_EXITS_MAX, ownMessages.tooManyExits),
}

const GivenStep = z.discriminatedUnion('kind', [
  z.strictObject({ ...base, kind: z.literal('play'), sound: GivenSound }),
  z.strictObject({
    ...base,
    kind: z.literal('menu'),
    sound: GivenSound,
    keys: z.array(z.enum(keys)).max(keys.length),
    repeats: Repeats,
    seconds: Seconds,
  }),
  z.strictObject({
    ...base,
    kind: z.literal('collect'),
    sound: GivenSound,
    variable: Variable,
    minDigits: z.int().min(1).max(50),
    maxDigits: z.int().min(1).max(50),
    endKey: z.enum(['#', '*']).nullable(),
    repeats: Repeats,
    seconds: Seconds,
  }),
  z.strictObject({
    ...base,
    kind: z.literal('hours'),
    timeZone: TimeZone,
    open: z
      .array(z.strictObject({ days: z.array(z.int().min(1).max(7)).min(1).max(7), from: Minute, to: Minute }))
      .max(20),
    holidays: z.array(z.string().regex(/^(\d{4}-)?\d{2}-\d{2}$/)).max(100),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('ring'),
    destination: z.discriminatedUnion('kind', [GivenPhones, GivenPbx]),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('forward'),
    /** Digits in international format, or a variable: `{{digits}}`. */
    number: Text,
    callerId: z.enum(['number', 'caller']),
    seconds: Seconds,
  }),
  z.strictObject({
    ...base,
    kind: z.literal('queue'),
    music: GivenSound,
    announcesPosition: z.boolean(),
    devices: z.enum(['all', 'phones', 'browsers']),
    ringSeconds: Seconds,
    maxSeconds: z.int().min(10).max(7_200),
    maxWaiting: z.int().min(1).max(100),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('voicemail'),
    greeting: GivenSound.nullable(),
    maxSeconds: z.int().min(5).max(MESSAGE_SECONDS_MAX),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('record'),
    turn: z.enum(['on', 'off']),
    announcement: GivenSound.nullable(),
  }),
  z.strictObject({ ...base, kind: z.literal('set'), variable: Variable, value: Text }),
  z.strictObject({
    ...base,
    kind: z.literal('compare'),
    left: Text,
    comparison: z.enum(comparisons),
    right: Text,
  }),
  z.strictObject({
    ...base,
    kind: z.literal('http'),
    url: z.string().max(500),
    seconds: z.int().min(1).max(20),
    /** Fields of the JSON answer that become variables. */
    saves: z.array(Variable).max(20),
  }),
  z.strictObject({ ...base, kind: z.literal('mail'), to: Text, subject: Text, text: Text }),
  z.strictObject({ ...base, kind: z.literal('hangup') }),
]) satisfies z.ZodType<Step>

/** A draft may have problems, which the editor shows. A flow with problems cannot be published. */
export const GivenFlow = z.strictObject({
  start: z.string().max(40),
  steps: z.array(GivenStep).max(FLOW_STEPS_MAX),
}) satisfies z.ZodType<Flow>

/** Stored flows were validated when they were saved. */
export const FlowView = z.custom<Flow>()

const Name = z.string().trim().min(1).max(FLOW_NAME_MAX, keepUnder(FLOW_NAME_MAX))

const FlowSummary = z.object({
  id: Id,
  name: z.string(),
  /** Null: never published. */
  published_version: z.int().nullable(),
  published_at: Timestamp.nullable(),
  /** The draft differs from the published version. */
  is_changed: z.boolean(),
  updated_at: Timestamp,
  step_count: z.int(),
  /** The customer's numbers that lead to it. */
  numbers: z.array(z.string()),
})
export type FlowSummary = z.output<typeof FlowSummary>

const FlowDetail = FlowSummary.extend({
  draft: FlowView,
  /** Signs the requests of `http` steps. */
  secret: z.string(),
  version: z.int(),
})
export type FlowDetail = z.output<typeof FlowDetail>

const VersionSummary = z.object({
  number: z.int(),
  note: z.string(),
  published_at: Timestamp,
  published_by: z.string(),
})
export type VersionSummary = z.output<typeof VersionSummary>

const FlowVersion = VersionSummary.extend({ flow: FlowView })
export type FlowVersion = z.output<typeof FlowVersion>

const WaitingView = z.object({
  /** Empty if the number is withheld. */
  caller: z.string(),
  caller_name: z.string(),
  entered_at: Timestamp,
  /** Since then, by the clock of the server. */
  waited_seconds: z.int(),
})
export type WaitingView = z.output<typeof WaitingView>

const QueueView = z.object({
  flow_id: Id,
  flow_name: z.string(),
  step_id: z.string(),
  /** Empty if the step has no name. */
  step_name: z.string(),
  waiting: z.array(WaitingView),
})
export type QueueView = z.output<typeof QueueView>

/** Digits in international format, separated by commas. */
const GivenNumbers = z
  .string()
  .max(FLOW_STEPS_MAX * 16)
  .regex(/^(\d{5,15}(,\d{5,15})*)?$/)
  .default('')
  .transform((text) => (text === '' ? [] : text.split(',')))

export const flows = {
  'GET /api/flows': {
    access: 'user',
    summary: 'List your flows',
    answer: z.object({ flows: z.array(FlowSummary) }),
  },
  'POST /api/flows': {
    access: 'user',
    summary: 'Create a flow: a draft, which no call uses before it is published',
    maxBodyBytes: FLOW_BYTES_MAX,
    body: z.strictObject({ name: Name, flow: GivenFlow }),
    answer: z.object({ flow: FlowDetail }),
    refusals: ['name_taken', 'too_many_flows'],
  },
  'GET /api/flows/:id': {
    access: 'user',
    summary: 'Get a flow with its draft',
    params: IdInPath,
    answer: z.object({ flow: FlowDetail }),
    refusals: ['not_found'],
  },
  'PATCH /api/flows/:id': {
    access: 'user',
    summary: 'Rename a flow or save its draft. Calls stay on the published version',
    params: IdInPath,
    maxBodyBytes: FLOW_BYTES_MAX,
    body: z.strictObject({
      name: Name.optional(),
      flow: GivenFlow.optional(),
      version: z.int().positive(),
    }),
    answer: z.object({ flow: FlowDetail }),
    refusals: ['not_found', 'changed_meanwhile', 'name_taken'],
  },
  'DELETE /api/flows/:id': {
    access: 'user',
    summary: 'Delete a flow that no number uses',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found', 'flow_in_use'],
  },
  'POST /api/flows/:id/publish': {
    access: 'user',
    summary: 'Publish the draft as a new version. New calls use it at once, calls in progress do not',
    params: IdInPath,
    body: z.strictObject({
      /** Of the draft. */
      version: z.int().positive(),
      note: textUpTo(FLOW_NOTE_MAX).default(''),
    }),
    answer: z.object({ flow: FlowDetail }),
    refusals: ['not_found', 'changed_meanwhile', 'flow_has_problems'],
  },
  'GET /api/flows/:id/versions': {
    access: 'user',
    summary: 'List the published versions of a flow, newest first',
    params: IdInPath,
    answer: z.object({ versions: z.array(VersionSummary) }),
    refusals: ['not_found'],
  },
  'GET /api/flows/:id/versions/:number': {
    access: 'user',
    summary: 'Get a published version of a flow with its steps',
    params: IdInPath.extend({ number: IdInPath.shape.id }),
    answer: z.object({ version: FlowVersion }),
    refusals: ['not_found'],
  },
  'GET /api/flows/:id/waiting': {
    access: 'user',
    summary: 'List the callers who wait in the queues of a flow',
    params: IdInPath,
    answer: z.object({
      waiting: z.array(WaitingView.extend({ step_id: z.string() })),
    }),
    refusals: ['not_found'],
  },
  'GET /api/queues': {
    access: 'user',
    summary: 'List your queues and the callers who wait in them, in order of arrival',
    answer: z.object({ queues: z.array(QueueView) }),
  },
  'GET /api/flow-checks': {
    access: 'user',
    summary: 'Check numbers of forward steps against your routes and balance, before publishing',
    query: z.strictObject({ numbers: GivenNumbers }),
    answer: z.object({
      /** Numbers that cannot be called. */
      unreachable: z.array(z.string()),
      /** Numbers whose first minute the balance does not cover. */
      unpaid: z.array(z.string()),
      can_record: z.boolean(),
    }),
  },
} as const satisfies Endpoints
