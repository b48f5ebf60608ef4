import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers, Streamed } from '../../../platform/handler.ts'
import type { CarrierInvoices } from './service.ts'

export const carrierInvoiceEndpoints = (invoices: CarrierInvoices) =>
  defineHandlers({
    'GET /api/admin/carrier-invoices': ({ caller, query }) => invoices.list(caller, query),

    'POST /api/admin/carrier-invoices': async ({ caller, body }) => ({
      invoice: await invoices.compare(caller, body),
    }),

    'GET /api/admin/carrier-invoices/:id': ({ caller, params }) => invoices.find(caller, params.id),

    'PATCH /api/admin/carrier-invoices/:id': async ({ caller, params, body }) => ({
      invoice: await invoices.change(caller, params.id, body),
    }),

    'DELETE /api/admin/carrier-invoices/:id': async ({ caller, params }) => {
      await invoices.remove(caller, params.id)
      return { message: ownMessages.invoiceDeleted }
    },

    'GET /api/admin/carrier-invoices/:id/calls': ({ caller, params, query }) =>
      invoices.calls(caller, params.id, query),

    'GET /api/admin/carrier-invoices/:id/calls.csv': async ({ caller, params, query }) =>
      new Streamed(await invoices.csv(caller, params.id, query.kind), {
        'content-disposition': `attachment; filename="carrier-invoice-${params.id}.csv"`,
      }),
  })
