import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { cameFromForm, sendPage } from '../shared/web.ts'
import { controlPage } from './control-page.ts'
import { type FaultChange, faultChange } from './faults.ts'
import { canAct, HAND_ACTIONS, type HandAction, type Invoice, STATUSES } from './invoice.ts'
import { payAmount } from './pay-routes.ts'
import type { Provider } from './provider.ts'
import { paymentInformation } from './wire.ts'

interface ControlOptions {
  provider: Provider
  retrySeconds: number[]
}
interface WithTrackId {
  Params: { trackId: string }
}

const YEAR_SECONDS = 366 * 86_400
const moved = z.object({ seconds: z.coerce.number().min(0).max(YEAR_SECONDS) })
/** The response waits for the first attempt of the resulting callbacks, unless `wait` is false. */
const waiting = z.object({ wait: z.boolean().default(true) })
const payment = waiting.extend({ amount: payAmount.optional() })
const telling = waiting.extend({ status: z.enum(STATUSES) })

/** Test controls that the real provider does not have. The control page sends forms, tests send JSON. */
export async function controlRoutes(web: FastifyInstance, { provider, retrySeconds }: ControlOptions) {
  web.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ message: z.prettifyError(error) })
    return reply.code(error.statusCode ?? 500).send({ message: error.message })
  })

  web.get('/sandbox', (_request, reply) =>
    sendPage(
      reply,
      controlPage({
        invoices: provider.list(),
        log: provider.callbacks.log,
        faults: provider.faults.state,
        now: provider.clock.now(),
        retrySeconds,
      }),
    ),
  )

  web.get('/sandbox/faults', () => provider.faults.state)
  web.delete('/sandbox/faults', () => provider.faults.reset())
  web.post('/sandbox/faults', (request, reply) => {
    if (!cameFromForm(request)) return provider.faults.change(faultChange.parse(request.body))
    const form = request.body as Record<string, string>
    if (form.reset) provider.faults.reset()
    else provider.faults.change(faultChange.parse(changeFromForm(form)))
    return reply.redirect('/sandbox', 303)
  })

  web.post('/sandbox/advance', async (request, reply) => {
    await provider.advance(moved.parse(request.body).seconds)
    if (cameFromForm(request)) return reply.redirect('/sandbox', 303)
    return { now: new Date(provider.clock.now()).toISOString() }
  })

  web.get<{ Querystring: { track_id?: string } }>('/sandbox/callbacks', async (request) => {
    await provider.callbacks.settled()
    const { track_id } = request.query
    return { callbacks: provider.callbacks.log.filter((entry) => !track_id || entry.track_id === track_id) }
  })
  web.delete('/sandbox/callbacks', (_request, reply) => {
    provider.callbacks.clearLog()
    return reply.code(204).send()
  })
  web.get('/sandbox/invoices', () => ({ invoices: provider.list().map(paymentInformation) }))

  web.post<WithTrackId>('/sandbox/pay/:trackId', async (request) => {
    const { amount, wait } = payment.parse(request.body ?? {})
    return done(provider.pay(invoiceOf(request), amount), wait)
  })
  web.post<WithTrackId>('/sandbox/expire/:trackId', async (request) => {
    const { wait } = waiting.parse(request.body ?? {})
    return done(provider.expire(invoiceOf(request)), wait)
  })
  web.post<WithTrackId>('/sandbox/callback/:trackId', async (request) => {
    const { status, wait } = telling.parse(request.body)
    const invoice = invoiceOf(request)
    provider.tell(invoice, status)
    return done(invoice, wait)
  })
  for (const action of HAND_ACTIONS) {
    web.post<WithTrackId>(`/sandbox/${action}/:trackId`, (request, reply) => byHand(action, request, reply))
  }

  async function byHand(action: HandAction, request: FastifyRequest<WithTrackId>, reply: FastifyReply) {
    const invoice = invoiceOf(request)
    if (!canAct(invoice, action)) throw refusal(409, `A payment that is ${invoice.status} cannot ${action}.`)
    const changed = provider.act(invoice, action)
    if (cameFromForm(request)) return reply.redirect('/sandbox', 303)
    return done(changed, waiting.parse(request.body ?? {}).wait)
  }

  function invoiceOf(request: FastifyRequest<WithTrackId>): Invoice {
    const invoice = provider.get(request.params.trackId)
    if (!invoice) throw refusal(404, 'No such track_id')
    return invoice
  }

  async function done(invoice: Invoice, wait: boolean) {
    if (wait) await provider.callbacks.settled()
    return paymentInformation(invoice)
  }
}

function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode })
}

/** Converts the control page's flat fields to the nested JSON form. */
function changeFromForm(form: Record<string, string>): unknown {
  return {
    callbacks: {
      copies: Number(form.copies),
      order: form.order,
      delay_seconds: Number(form.delay_seconds),
      drop: form.drop === 'true' || form.drop === 'false' ? form.drop === 'true' : form.drop?.split(','),
      signature: form.signature,
    },
    create: faultFromChoice(form.create),
    read: faultFromChoice(form.read),
    confirmation_seconds: Number(form.confirmation_seconds),
  } satisfies Record<keyof Omit<FaultChange, 'payer_fee_percent'>, unknown>
}

function faultFromChoice(choice = 'ok'): unknown {
  if (choice === 'ok') return null
  const waitsOrCuts = /^(timeout|disconnect)_(created|not_created)$/.exec(choice)
  return waitsOrCuts ? { kind: waitsOrCuts[1], created: waitsOrCuts[2] === 'created' } : { kind: choice }
}
