import { useQuery } from '@tanstack/react-query'
import type { PromoCode } from '@trunkline/contract/admin-promo-codes'
import { messages } from '@trunkline/contract/messages'
import { promoTypeLabels } from '@trunkline/contract/promo-types'
import { api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { Failure } from '../../common/Failure.tsx'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { writeDay } from '../../common/period.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { changeFrom, shownValue, termLabels, termsOf, validateTerms } from './promo-form.ts'
import { codeQuery, rereadCodes } from './queries.ts'
import { TermFields } from './TermFields.tsx'

/** Changes when and how often a code can be used. */
export function EditCode({ id, onDone }: { id: number; onDone: () => void }) {
  // Read again on every opening.
  const { data: code, error, refetch } = useQuery({ ...codeQuery(id), staleTime: 0, gcTime: 0 })
  if (code) return <EditForm code={code} onDone={onDone} />
  return (
    <Dialog open onOpenChange={onDone} title="Edit promo code">
      {error ? (
        <Failure onRetry={() => void refetch()}>
          {explain(error, 'The promo code could not be loaded.')}
        </Failure>
      ) : (
        <div aria-busy className="flex flex-col gap-4">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
        </div>
      )}
    </Dialog>
  )
}

function EditForm({ code, onDone }: { code: PromoCode; onDone: () => void }) {
  const form = useEditForm({
    opened: code,
    toValues: termsOf,
    labels: termLabels,
    validate: (typed, base) =>
      validateTerms(typed, typed.expiry === termsOf(base).expiry ? null : writeDay(new Date())),
    submit: async (typed, base) => {
      const change = changeFrom(typed, base)
      if (!change) return toast.info(messages.noChanges)
      await api('PATCH /api/admin/promo-codes/:id', { params: { id: base.id }, body: change })
      toast.success(`${base.code} was changed.`)
      const isStillOpen = form.ref.current !== null
      if (isStillOpen) onDone()
    },
    reload: ({ id }) => queryClient.fetchQuery({ ...codeQuery(id), staleTime: 0 }),
    failed: 'The promo code could not be changed. Please try again.',
    onSettled: rereadCodes,
  })
  return (
    <FormDialog
      form={form}
      title={`Edit ${code.code}`}
      description={`${promoTypeLabels[code.type]} of ${shownValue(code)}, used ${code.used} times. The type and value cannot be changed.`}
      label={`Edit ${code.code}`}
      action="Save"
      onClose={onDone}
    >
      <ConflictNotice form={form} />
      <TermFields form={form} />
      <Checkbox
        {...form.bindChecked('active')}
        label={termLabels.active}
        hint="An inactive code cannot be used. Bonuses promised to pending top-ups are kept."
      />
    </FormDialog>
  )
}
