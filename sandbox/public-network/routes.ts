import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type DemoCarrier, type Habit, habits } from '../carriers/start.ts'
import { cameFromForm, sendPage } from '../shared/web.ts'
import type { Caller } from './caller.ts'
import { type DialForm, type DialView, dialPage, type OfferedNumber, versionOf } from './page.ts'

const flag = z.union([z.boolean(), z.stringbool()])
/** As a person writes it: spaces and signs are removed. */
const digits = z
  .string()
  .trim()
  .transform((text) => text.replace(/[\s().-]/g, ''))
  .pipe(z.string().regex(/^\+?\d{3,18}$/, 'Please enter a phone number, such as +442079460123.'))
const wish = z.object({
  number: digits,
  callerId: digits.default('+12025550143'),
  name: z.string().max(60).default(''),
  isWithheld: flag.default(false),
  sound: z.enum(['echo', 'tone']).default('echo'),
})
const keys = z.object({ keys: z.string().regex(/^[0-9*#]{1,32}$/) })
const outside = z.object({ habit: z.enum(Object.keys(habits) as Habit[]) })
const switchAddress = z.object({
  address: z
    .string()
    .regex(/^.+:\d+$/)
    .nullable(),
  numbers: z.array(z.object({ number: z.string(), username: z.string(), area: z.string() })).default([]),
})

export const DIAL_PATH = '/public-network'

const query = z.object({ number: z.string().default(''), dial: z.string().default('') })
const KEYS_SHOWN = 20
const emptyForm: DialForm = { number: '', isDialing: false, problem: '' }

/** In an address, the plus sign of a number is a space. */
const withPlus = (number: string): string => number.trim().replace(/^(?=\d)/, '+')

/** The caller, and the phones that customers call. */
type Phones = { caller: Caller; carrier: DemoCarrier }

/** The page that plays the public telephone network, and the same controls as JSON. */
export async function dialRoutes(web: FastifyInstance, { caller, carrier }: Phones) {
  let offered: readonly OfferedNumber[] = []
  web.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const isInvalid = error instanceof z.ZodError
    reply.code(isInvalid ? 400 : (error.statusCode ?? 500))
    const message = isInvalid ? z.prettifyError(error) : error.message
    if (!isInvalid || !cameFromForm(request)) return reply.send({ message })
    const { number = '' } = request.body as { number?: string }
    const problem = error.issues[0]?.message ?? message
    return sendPage(reply, dialPage(view(), { ...emptyForm, number, problem }))
  })
  const view = (): DialView => ({
    calls: caller.calls(),
    offered,
    hasSwitch: caller.switchAddress() !== null,
    outside: {
      habit: carrier.habit(),
      ringing: carrier.ringing(),
      answered: carrier.live(),
      keysHeard: carrier.digits().slice(-KEYS_SHOWN),
    },
    now: Date.now(),
  })
  const done = (request: FastifyRequest, reply: FastifyReply, answer: unknown) =>
    cameFromForm(request) ? reply.redirect(DIAL_PATH, 303) : reply.send(answer)

  web.get(DIAL_PATH, (request, reply) => {
    const { number, dial } = query.parse(request.query)
    // A page of another site can only fill in the number.
    const isDialing = dial === 'yes' && request.headers['sec-fetch-site'] !== 'cross-site'
    return sendPage(reply, dialPage(view(), { ...emptyForm, number: withPlus(number), isDialing }))
  })
  web.get(`${DIAL_PATH}/version`, () => versionOf(view()))
  web.get(`${DIAL_PATH}/calls`, () => ({ calls: caller.calls() }))
  web.post(`${DIAL_PATH}/calls`, async (request, reply) => {
    const call = await caller.dial(wish.parse(request.body))
    if (!call && !cameFromForm(request)) return reply.code(409).send({ message: 'No switch is running.' })
    return done(request, reply, { call })
  })
  web.post<{ Params: { id: string } }>(`${DIAL_PATH}/calls/:id/hangup`, (request, reply) =>
    done(request, reply, { hungUp: caller.hangUp(request.params.id) }),
  )
  web.post<{ Params: { id: string } }>(`${DIAL_PATH}/calls/:id/keys`, (request, reply) =>
    done(request, reply, { pressed: caller.press(request.params.id, keys.parse(request.body).keys) }),
  )
  web.post(`${DIAL_PATH}/outside`, (request, reply) => {
    const { habit } = outside.parse(request.body)
    carrier.setHabit(habit)
    return done(request, reply, { habit })
  })
  web.post(`${DIAL_PATH}/outside/answer`, (request, reply) => {
    carrier.answerAll()
    return done(request, reply, {})
  })
  web.post(`${DIAL_PATH}/outside/hangup`, (request, reply) => {
    carrier.hangUpAll()
    return done(request, reply, {})
  })
  web.post(`${DIAL_PATH}/switch`, (request) => {
    const { address, numbers } = switchAddress.parse(request.body)
    caller.setSwitch(address)
    offered = numbers
    return {}
  })
}
