import { useQuery } from '@tanstack/react-query'
import { RECORDING_PRICE_MAX_DOLLARS } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { api, explain } from '../../app/api.ts'
import { toMicros } from '../../common/dollars.ts'
import { Failure } from '../../common/Failure.tsx'
import { useForm } from '../../common/forms/use-form.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'

const TITLE = 'Recording price'

/** What customers pay for a recorded minute. */
export function RecordingPrice({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['recording price'],
    queryFn: async ({ signal }) => (await api('GET /api/admin/recording-price', { signal })).price,
    staleTime: 0,
    gcTime: 0,
  })
  if (data !== undefined) return <PriceForm price={data} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title={TITLE}>
      {error ? (
        <Failure onRetry={() => void refetch()}>{explain(error, 'The price could not be loaded.')}</Failure>
      ) : (
        <div aria-busy="true">
          <Skeleton className="h-10 w-full" />
        </div>
      )}
    </Dialog>
  )
}

function isValid(typed: string): boolean {
  const price = typed.trim() === '' ? Number.NaN : Number(typed)
  return price >= 0 && price <= RECORDING_PRICE_MAX_DOLLARS && toMicros(price) !== null
}

function PriceForm({ price, onClose }: { price: number; onClose: () => void }) {
  const form = useForm({
    initial: { price: String(price) },
    validate: (values) => (isValid(values.price) ? {} : { price: ownMessages.recordingPriceInvalid }),
    submit: async (values) => {
      await api('PUT /api/admin/recording-price', { body: { price: Number(values.price) } })
      toast.success('The price was saved.')
      onClose()
    },
    failed: 'The price could not be saved. Please try again.',
  })
  return (
    <FormDialog form={form} title={TITLE} label={TITLE} action="Save price" onClose={onClose}>
      <Field
        label="Price of a recorded minute ($)"
        error={form.errors.price}
        hint="Held while a call is recorded and charged by the second. 0 means free. You allow recording on the page of a user."
      >
        <Input {...form.bind('price')} inputMode="decimal" autoComplete="off" className="figures" />
      </Field>
    </FormDialog>
  )
}
