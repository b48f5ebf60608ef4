import { useQuery } from '@tanstack/react-query'
import type { PromoCode } from '@trunkline/contract/admin-promo-codes'
import { promoTypeLabels } from '@trunkline/contract/promo-types'
import { useRef, useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { writeDay } from '../../common/period.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { focusFault } from '../../ui/focus-fault.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { changeFrom, type Faults, shownValue, termFaultsIn, termsOf } from './promo-form.ts'
import { codeQuery, rereadCodes } from './queries.ts'
import { TermFields } from './TermFields.tsx'

/** When and how often a code may be used; an address may lead straight to it. */
export function EditCode({ id, onDone }: { id: number; onDone: () => void }) {
  // Read when it is opened and not again under the hand that edits it.
  const { data: code, error, refetch } = useQuery({ ...codeQuery(id), staleTime: 0, gcTime: 0 })
  const [rounds, setRounds] = useState(0)
  if (code)
    return (
      <EditForm
        key={rounds}
        code={code}
        onDone={onDone}
        onReread={async () => {
          await refetch()
          setRounds(rounds + 1)
        }}
      />
    )
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

type EditFormProps = { code: PromoCode; onDone: () => void; onReread: () => Promise<void> }

function EditForm({ code, onDone, onReread }: EditFormProps) {
  const [typed, setTyped] = useState(() => termsOf(code))
  const [faults, setFaults] = useState<Faults>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [wasOvertaken, setOvertaken] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const fields = useRef<HTMLFormElement>(null)

  function edit(change: Partial<typeof typed>) {
    setTyped({ ...typed, ...change })
    setFaults({})
    setRefusal(null)
  }

  async function submit() {
    const isSameDay = typed.expiry === termsOf(code).expiry
    const found = termFaultsIn(typed, isSameDay ? null : writeDay(new Date()))
    setFaults(found)
    if (focusFault(fields.current, found)) return
    const change = changeFrom(typed, code)
    if (!change) return setRefusal('No changes to update.')
    if (isBusy) return
    setBusy(true)
    try {
      await api('PATCH /api/admin/promo-codes/:id', { params: { id: code.id }, body: change })
      toast.success(`${code.code} was changed.`)
      onDone()
    } catch (error) {
      setOvertaken(error instanceof ApiError && error.code === 'changed_meanwhile')
      setRefusal(explain(error, 'The promo code could not be changed. Please try again.'))
      setBusy(false)
    }
    void rereadCodes()
  }

  return (
    <FormDialog
      title={`Edit ${code.code}`}
      description={`${promoTypeLabels[code.type]} of ${shownValue(code)}, used ${code.used} times. What it gives stays, as people were told it.`}
      label={`Edit ${code.code}`}
      action="Save"
      isBusy={isBusy}
      isDisabled={wasOvertaken}
      ref={fields}
      onSubmit={() => void submit()}
      onClose={onDone}
    >
      <TermFields typed={typed} faults={faults} onEdit={edit} />
      <Checkbox
        label="Active"
        hint="Switched off, nobody can use it any more. What was promised to top-ups under way is kept."
        checked={typed.active}
        onChange={({ target }) => edit({ active: target.checked })}
      />
      {refusal && (
        <Notice tone="danger">
          <p>{refusal}</p>
          {wasOvertaken && (
            <Button size="sm" className="mt-2.5" onClick={() => void onReread()}>
              Show what it is now
            </Button>
          )}
        </Notice>
      )}
    </FormDialog>
  )
}
