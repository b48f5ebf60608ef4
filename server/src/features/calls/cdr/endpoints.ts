import { defineHandlers, Streamed } from '../../../platform/handler.ts'
import type { CallRecords } from './service.ts'

const asFile = { 'content-disposition': 'attachment; filename="cdr_report.csv"' }

export const cdrEndpoints = (records: CallRecords) =>
  defineHandlers({
    'GET /api/cdr': ({ caller, query }) => records.list(caller, query),

    'GET /api/cdr/totals': async ({ caller, query }) => ({ totals: await records.totals(caller, query) }),

    'GET /api/cdr.csv': async ({ caller, query }) => new Streamed(await records.csv(caller, query), asFile),

    'GET /api/cdr/:id': async ({ caller, params, query }) => ({
      record: await records.find(caller, params.id, query.timezone),
    }),

    'GET /api/calls/records': async ({ caller, query }) => ({
      records: await records.latest(caller, query.limit),
    }),

    'GET /api/admin/cdr': ({ caller, query }) => records.listAll(caller, query),

    'GET /api/admin/cdr/totals': async ({ caller, query }) => ({
      totals: await records.totalsOfAll(caller, query),
    }),

    'GET /api/admin/cdr.csv': async ({ caller, query }) =>
      new Streamed(await records.csvOfAll(caller, query), asFile),

    'GET /api/admin/cdr/:id': async ({ caller, params, query }) => ({
      record: await records.findAny(caller, params.id, query.timezone),
    }),
  })
