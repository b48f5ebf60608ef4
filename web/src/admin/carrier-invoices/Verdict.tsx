import type { CarrierInvoice, InvoiceState } from '@trunkline/contract/carrier-invoices'
import { CARRIER_INVOICE_NOTE_MAX } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Select } from '../../ui/Select.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { rereadInvoices } from './queries.ts'
import { invoiceStates } from './search.ts'
import { stateWords } from './words.ts'

/** State and note of an invoice. The parent remounts it for each version. */
export function Verdict({ invoice: { id, version, state, note } }: { invoice: CarrierInvoice }) {
  const form = useForm<{ state: string; note: string }>({
    initial: { state, note },
    submit: async (values) => {
      const body = { version, state: values.state as InvoiceState, note: values.note }
      await api('PATCH /api/admin/carrier-invoices/:id', { params: { id }, body })
      toast.success('Invoice updated.')
    },
    failed: 'The invoice could not be updated. Please try again.',
    onSettled: rereadInvoices,
  })
  const isChanged = form.values.state !== state || form.values.note !== note
  return (
    <Form
      form={form}
      label="State and note"
      className="flex min-w-0 flex-1 basis-96 flex-wrap items-end gap-3 short:max-lg:order-last"
    >
      <Field label="State" error={form.errors.state} isLine>
        <Select {...form.bind('state')}>
          {invoiceStates.map((each) => (
            <option key={each} value={each}>
              {stateWords[each].label}
            </option>
          ))}
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
      {form.failure && (
        <Notice tone="danger" className="w-full">
          {form.failure}
        </Notice>
      )}
    </Form>
  )
}
