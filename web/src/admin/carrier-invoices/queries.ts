import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import type { InvoiceSearch, InvoicesSearch } from './search.ts'

const KEY = ['admin', 'carrier-invoices']

export const invoicesQuery = ({ trunk, state, before }: InvoicesSearch) =>
  queryOptions({
    queryKey: [...KEY, 'list', trunk ?? null, state ?? null, before ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/admin/carrier-invoices', {
        query: {
          ...(trunk !== undefined && { trunk }),
          ...(state && { state }),
          ...(before !== undefined && { before }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  })

export const invoiceQuery = (id: number) =>
  queryOptions({
    queryKey: [...KEY, 'one', id],
    queryFn: ({ signal }) => api('GET /api/admin/carrier-invoices/:id', { params: { id }, signal }),
    refetchOnWindowFocus: 'always',
  })

/** The compared calls never change. */
export const invoiceCallsQuery = (id: number, { kind, after }: InvoiceSearch) =>
  queryOptions({
    queryKey: [...KEY, 'calls', id, kind ?? null, after ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/admin/carrier-invoices/:id/calls', {
        params: { id },
        query: { ...(kind && { kind }), ...(after && { after }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const rereadInvoices = () => queryClient.invalidateQueries({ queryKey: KEY })
