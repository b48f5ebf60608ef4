import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { CreateFault, ReadFault } from './faults.ts'
import { type Invoice, invoiceRequest, STATUSES, toMicros } from './invoice.ts'
import type { Provider } from './provider.ts'
import { createdInvoice, errorAnswer, paymentInformation, successAnswer } from './wire.ts'

interface ApiOptions {
  provider: Provider
  merchantKey: string
  paymentUrl: (invoice: Invoice) => string
}

/** The invoice part of OxaPay's merchant API v1. */
export async function merchantApi(api: FastifyInstance, { provider, merchantKey, paymentUrl }: ApiOptions) {
  api.addHook('preHandler', async (request, reply) => {
    if (request.headers.merchant_api_key === merchantKey) return
    const message = 'The merchant API key is invalid.'
    return refuse(reply, 401, { type: 'authentication', key: 'invalid_merchant_api_key', message })
  })
  api.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const isTheirs = (error.statusCode ?? 500) < 500
    if (!isTheirs) console.error(error)
    return isTheirs
      ? refuse(reply, 400, { type: 'validation', key: 'invalid_body', message: error.message })
      : refuse(reply, 500, { type: 'server', key: 'internal_error', message: 'Internal error.' })
  })

  api.post('/invoice', (request, reply) => {
    const parsed = invoiceRequest.safeParse(request.body ?? {})
    if (!parsed.success) return refuse(reply, 400, faultOf(parsed.error))
    const fault = provider.faults.take('create')
    if (fault?.kind === 'error' || fault?.kind === 'garbage') return misbehave(reply, fault)
    if (fault?.kind === 'timeout' || fault?.kind === 'disconnect') {
      if (fault.created) provider.create(parsed.data)
      return misbehave(reply, fault)
    }
    const invoice = provider.create(parsed.data)
    const { payment_url, ...rest } = createdInvoice(invoice, paymentUrl(invoice))
    if (fault?.kind === 'no_payment_url') return reply.send(successAnswer(rest, fault.message))
    return reply.send(successAnswer({ ...rest, payment_url }))
  })

  api.get<{ Params: { track_id: string } }>('/:track_id', (request, reply) => {
    const fault = provider.faults.take('read')
    if (fault) return misbehave(reply, fault)
    const invoice = provider.get(request.params.track_id)
    const message = 'No payment found for this track_id.'
    if (!invoice) return refuse(reply, 404, { type: 'not_found', key: 'invalid_track_id', message })
    return reply.send(successAnswer(paymentInformation(invoice)))
  })

  // A merchant uses the history to find an invoice whose creation timed out.
  api.get('/', (request, reply) => {
    const parsed = historyQuery.safeParse(request.query)
    if (!parsed.success) return refuse(reply, 400, faultOf(parsed.error))
    const fault = provider.faults.take('read')
    if (fault) return misbehave(reply, fault)
    const { page, size, sort_type } = parsed.data
    const found = provider.list().filter((invoice) => isWanted(invoice, parsed.data))
    const sorted = sort_type === 'asc' ? found.toReversed() : found
    const list = sorted.slice((page - 1) * size, page * size).map(paymentInformation)
    const last_page = Math.max(1, Math.ceil(found.length / size))
    return reply.send(successAnswer({ list, meta: { page, last_page, total: found.length } }))
  })
}

const historyQuery = z.object({
  track_id: z.string().optional(),
  status: z.string().toLowerCase().pipe(z.enum(STATUSES)).optional(),
  from_date: z.coerce.number().optional(),
  to_date: z.coerce.number().optional(),
  from_amount: z.coerce.number().optional(),
  to_amount: z.coerce.number().optional(),
  sort_type: z.enum(['asc', 'desc']).default('desc'),
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(200).default(10),
})

function isWanted(invoice: Invoice, query: z.infer<typeof historyQuery>): boolean {
  const created = Math.floor(invoice.createdAt / 1000)
  const micros = toMicros(invoice.request.amount)
  return (
    (query.track_id === undefined || query.track_id === invoice.track_id) &&
    (query.status === undefined || query.status === invoice.status) &&
    (query.from_date === undefined || created >= query.from_date) &&
    (query.to_date === undefined || created <= query.to_date) &&
    (query.from_amount === undefined || micros >= toMicros(query.from_amount)) &&
    (query.to_amount === undefined || micros <= toMicros(query.to_amount))
  )
}

function refuse(reply: FastifyReply, status: number, error: { type: string; key: string; message: string }) {
  return reply.code(status).send(errorAnswer(status, error))
}

function faultOf(error: z.ZodError) {
  const issue = error.issues[0]
  const field = issue?.path.join('.') || 'body'
  return {
    type: 'validation',
    key: `invalid_${field}`,
    message: `${field}: ${issue?.message ?? 'is invalid'}`,
  }
}

type Misbehavior = Exclude<CreateFault | ReadFault, { kind: 'no_payment_url' }>

function misbehave(reply: FastifyReply, fault: Misbehavior) {
  switch (fault.kind) {
    case 'error':
      return refuse(reply, fault.status, { type: fault.type, key: fault.key, message: fault.message })
    case 'garbage':
      return reply.code(fault.status).type('text/html').send(fault.body)
    case 'timeout':
      // Hijacked from Fastify and left open until the merchant aborts or we stop.
      return reply.hijack()
    case 'disconnect':
      reply.hijack()
      reply.raw.destroy()
      return reply
  }
}
