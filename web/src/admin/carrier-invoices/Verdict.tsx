import type { CarrierInvoice, InvoiceState } from '@trunkline/contract/carrier-invoices'
import { CARRIER_INVOICE_NOTE_MAX } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { invoiceQuery, rereadInvoices } from './queries.ts'
import { invoiceStates } from './search.ts'
import { stateWords } from './words.ts'

type Values = { state: string; note: string }

const valuesOf = ({ state, note }: CarrierInvoice): Values => ({ state, note })

const labelOf = (state: string) => stateWords[state as InvoiceState].label

/** State and note of an invoice. */
export function Verdict({ invoice }: { invoice: CarrierInvoice }) {
  const form = useEditForm<CarrierInvoice, Values>({
    opened: invoice,
    toValues: valuesOf,
    labels: { state: 'State', note: 'Note' },
    show: (name, values) => (name === 'state' ? labelOf(values.state) : values.note || 'None'),
    submit: async ({ state, note }, { id, version }) => {
      const body = { version, state: state as InvoiceState, note }
      const answer = await api('PATCH /api/admin/carrier-invoices/:id', { params: { id }, body })
      form.restart(answer.invoice)
      toast.success('Invoice updated.')
    },
    reload: async ({ id }) => (await queryClient.fetchQuery({ ...invoiceQuery(id), staleTime: 0 })).invoice,
    failed: 'The invoice could not be updated. Please try again.',
    onSettled: rereadInvoices,
  })
  const saved = valuesOf(form.base)
  const isChanged = form.values.state !== saved.state || form.values.note !== saved.note
  return (
    <Form
      form={form}
      label="State and note"
      className="flex min-w-0 flex-1 basis-96 flex-wrap items-end gap-3 short:max-lg:order-last"
    >
      <Field label="State" error={form.errors.state} isLine>
        <Select {...form.bind('state')}>
          <Options of={invoiceStates.map((each) => [each, stateWords[each].label])} />
        </Select>
      </Field>
      <Field label="Note" error={form.errors.note} isLine className="min-w-32 flex-1">
        <Textarea
          {...form.bind('note')}
          rows={1}
          className="field-sizing-content max-h-40 min-h-10"
          maxLength={CARRIER_INVOICE_NOTE_MAX}
        />
      </Field>
      <Button type="submit" busy={form.isBusy} disabled={!isChanged}>
        Save
      </Button>
      <div className="w-full empty:hidden">
        <ConflictNotice form={form} />
      </div>
      {form.failure && (
        <Notice tone="danger" className="w-full">
          {form.failure}
        </Notice>
      )}
    </Form>
  )
}
