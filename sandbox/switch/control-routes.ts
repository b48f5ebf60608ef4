import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { cameFromForm, sendPage } from '../shared/web.ts'
import { type CallWish, callPlan } from './call.ts'
import { controlPage, type SwitchView, versionOf } from './control-page.ts'
import type { SwitchCore } from './core.ts'
import { faultChange } from './faults.ts'
import { loadWish } from './load.ts'

const flag = z.union([z.boolean(), z.stringbool()])
const trafficChange = z.object({ running: flag })
const death = z.object({ down_ms: z.coerce.number().min(0).max(600_000).default(0) })
const hangUp = z.object({ by: z.enum(['caller', 'callee']).default('caller') })
/** Number of calls on the page; /sandbox/truth has all of them. */
const SHOWN = 100

/** Test controls of the demo switch. Its page sends forms, tests and benchmarks send JSON. */
export async function controlRoutes(web: FastifyInstance, { core }: { core: SwitchCore }) {
  web.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ message: z.prettifyError(error) })
    return reply.code(error.statusCode ?? 500).send({ message: error.message })
  })
  const view = (): SwitchView => ({
    id: core.id,
    now: core.clock.now(),
    startedAt: core.startedAt(),
    connections: core.connections(),
    keptEvents: core.kept().length,
    isTrafficOn: core.isTrafficOn(),
    faults: core.faults(),
    live: core.live(),
    over: core.latest(SHOWN),
  })
  /** Redirects a form to the page; returns JSON otherwise. */
  const done = (request: FastifyRequest, reply: FastifyReply, answer: unknown) =>
    cameFromForm(request) ? reply.redirect('/sandbox', 303) : reply.send(answer)

  web.get('/sandbox', (_request, reply) => sendPage(reply, controlPage(view())))
  web.get('/sandbox/version', () => versionOf(view()))
  web.get('/sandbox/state', () => {
    const { id, startedAt, connections, keptEvents, isTrafficOn, live } = view()
    return { id, startedAt, connections, keptEvents, isTrafficOn, liveCalls: live.length }
  })
  web.get('/sandbox/truth', () => ({ calls: core.truth() }))

  web.get('/sandbox/calls', () => ({ calls: core.live() }))
  web.post('/sandbox/calls', async (request, reply) => {
    const wish = cameFromForm(request) ? wishFromForm(request.body as Record<string, string>) : request.body
    const placed = core.place(callPlan.parse(wish))
    return done(request, reply, await placed.decided)
  })
  web.post<{ Params: { call: string } }>('/sandbox/calls/:call/hangup', (request, reply) => {
    const { by } = hangUp.parse(request.body ?? {})
    return done(request, reply, { hungUp: core.hangUp(request.params.call, by) })
  })
  web.post<{ Params: { call: string } }>('/sandbox/calls/:call/answer', (request, reply) =>
    done(request, reply, { answered: core.answer(request.params.call) }),
  )
  web.post('/sandbox/load', (request) => core.load(loadWish.parse(request.body)))
  web.post('/sandbox/traffic', (request, reply) => {
    core.setTraffic(trafficChange.parse(request.body).running)
    return done(request, reply, { running: core.isTrafficOn() })
  })

  web.get('/sandbox/faults', () => core.faults())
  web.delete('/sandbox/faults', () => core.resetFaults())
  web.post('/sandbox/faults', (request, reply) => {
    if (!cameFromForm(request)) return core.setFaults(faultChange.parse(request.body))
    const form = request.body as Record<string, string>
    if (form.reset) core.resetFaults()
    else core.setFaults(faultsFromForm(form))
    return reply.redirect('/sandbox', 303)
  })
  web.post('/sandbox/drop', (request, reply) => {
    core.dropConnections()
    return done(request, reply, {})
  })
  web.post('/sandbox/garbage', (request, reply) => {
    core.sendGarbage()
    return done(request, reply, {})
  })
  web.post('/sandbox/die', (request, reply) => {
    core.die(death.parse(request.body ?? {}).down_ms)
    return done(request, reply, { startedAt: core.startedAt() })
  })
}

function wishFromForm(form: Record<string, string>): CallWish {
  const code = Number(form.code)
  const afterMs = Number(form.after_ms)
  return {
    ...(form.user && { user: form.user }),
    address: form.address ?? '',
    to: form.to ?? '',
    carriers: [{ code, afterMs, ringAfterMs: code === 486 || code === 503 ? null : Math.min(500, afterMs) }],
    talkMs: form.hangs_up === 'nobody' ? null : Number(form.talk_seconds) * 1000,
    hangsUp: form.hangs_up === 'callee' ? 'callee' : 'caller',
  }
}

const faultsFromForm = (form: Record<string, string>) =>
  faultChange.parse({
    doubled: form.doubled === 'true',
    delay_ms: Number(form.delay_ms),
    jitter_ms: Number(form.jitter_ms),
    ignores: form.ignores ? form.ignores.split(',') : [],
    frozen: form.frozen === 'true',
  })
