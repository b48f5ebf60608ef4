import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { sendMissing, sendPage } from '../shared/web.ts'
import { MISSING_MARK, paymentPage, versionOf } from './payment-page.ts'
import type { Provider } from './provider.ts'

/** A payment amount: positive, limited and with at most six decimals. */
export const payAmount = z.coerce.number().min(0.01).max(1_000_000).multipleOf(0.000001)

const PROBLEMS: Record<string, string> = {
  amount: 'Give an amount between 0.01 and 1,000,000, in dollars and cents.',
}

interface Parameters {
  Params: { trackId: string }
  Querystring: { problem?: string }
}

/** The page at `payment_url`. Its buttons are plain forms. */
export async function payRoutes(web: FastifyInstance, { provider }: { provider: Provider }) {
  const backTo = (reply: FastifyReply, trackId: string, query = '') =>
    reply.redirect(`/pay/${trackId}${query}`, 303)
  const missing = (reply: FastifyReply) => sendMissing(reply, MISSING_MARK, 'No such payment request')

  web.get<Parameters>('/pay/:trackId', (request, reply) => {
    const invoice = provider.get(request.params.trackId)
    if (!invoice) return missing(reply)
    const problem = PROBLEMS[request.query.problem ?? '']
    return sendPage(reply, paymentPage(provider.openPage(invoice), provider.clock.now(), problem))
  })

  web.get<Parameters>('/pay/:trackId/version', (request, reply) => {
    const invoice = provider.get(request.params.trackId)
    return invoice ? versionOf(invoice) : missing(reply)
  })

  web.post<Parameters & { Body: { amount?: string } | null }>('/pay/:trackId', (request, reply) => {
    const { trackId } = request.params
    const invoice = provider.get(trackId)
    if (!invoice) return missing(reply)
    const amount = payAmount.optional().safeParse(request.body?.amount)
    if (!amount.success) return backTo(reply, trackId, '?problem=amount')
    // A second click on the same page must not pay twice.
    const isDone =
      invoice.status === 'paid' || invoice.status === 'paying' || invoice.status === 'manual_accept'
    if (!isDone) provider.pay(invoice, amount.data)
    return backTo(reply, trackId)
  })

  web.post<Parameters>('/pay/:trackId/expire', (request, reply) => {
    const invoice = provider.get(request.params.trackId)
    if (!invoice) return missing(reply)
    provider.expire(invoice)
    return backTo(reply, request.params.trackId)
  })
}
