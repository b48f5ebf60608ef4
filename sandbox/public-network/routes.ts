import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { cameFromForm, sendPage } from '../shared/web.ts'
import type { Caller } from './caller.ts'
import { dialPage, versionOf } from './page.ts'

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
const switchAddress = z.object({
  address: z
    .string()
    .regex(/^.+:\d+$/)
    .nullable(),
})

export const DIAL_PATH = '/public-network'

/** The page that plays the public telephone network, and the same controls as JSON. */
export async function dialRoutes(web: FastifyInstance, { caller }: { caller: Caller }) {
  web.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ message: z.prettifyError(error) })
    return reply.code(error.statusCode ?? 500).send({ message: error.message })
  })
  const view = () => ({ calls: caller.calls(), hasSwitch: caller.switchAddress() !== null, now: Date.now() })
  const done = (request: FastifyRequest, reply: FastifyReply, answer: unknown) =>
    cameFromForm(request) ? reply.redirect(DIAL_PATH, 303) : reply.send(answer)

  web.get<{ Querystring: { number?: string } }>(DIAL_PATH, ({ query }, reply) =>
    sendPage(reply, dialPage(view(), typeof query.number === 'string' ? query.number : '')),
  )
  web.get(`${DIAL_PATH}/version`, () => versionOf(view()))
  web.get(`${DIAL_PATH}/calls`, () => ({ calls: caller.calls() }))
  web.post(`${DIAL_PATH}/calls`, async (request, reply) => {
    const call = await caller.dial(wish.parse(request.body))
    if (!call) return reply.code(409).send({ message: 'No switch is running.' })
    return done(request, reply, { call })
  })
  web.post<{ Params: { id: string } }>(`${DIAL_PATH}/calls/:id/hangup`, (request, reply) =>
    done(request, reply, { hungUp: caller.hangUp(request.params.id) }),
  )
  web.post<{ Params: { id: string } }>(`${DIAL_PATH}/calls/:id/keys`, (request, reply) =>
    done(request, reply, { pressed: caller.press(request.params.id, keys.parse(request.body).keys) }),
  )
  web.post(`${DIAL_PATH}/switch`, (request) => {
    caller.setSwitch(switchAddress.parse(request.body).address)
    return {}
  })
}
