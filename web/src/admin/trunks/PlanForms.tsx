import { useMutation, useQuery } from '@tanstack/react-query'
import type { Plan } from '@trunkline/contract/plans'
import { useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useFaultFocus } from '../../ui/focus-fault.ts'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { plansQuery, refreshCatalogue, trunksQuery } from './queries.ts'

/** Adds a plan, or gives one another name. */
export function PlanNameForm({ plan, onClose }: { plan: Plan | null; onClose: () => void }) {
  const [name, setName] = useState(plan?.name ?? '')
  const now = useQuery(plansQuery).data?.find(({ id }) => id === plan?.id)
  const save = useMutation({
    mutationFn: (was: string | undefined) =>
      plan
        ? api('PATCH /api/plans/:id', { params: { id: plan.id }, body: { name, was } })
        : api('POST /api/plans', { body: { name } }),
    onSuccess: (answer) => {
      toast.success(plan ? `The plan is called ${answer.plan.name} now.` : `${answer.plan.name} was added.`)
      onClose()
    },
    onSettled: refreshCatalogue,
  })
  const isConflict = save.error instanceof ApiError && save.error.code === 'changed_meanwhile'
  const form = useFaultFocus(save.error)
  return (
    <FormDialog
      title={plan ? `Rename ${plan.name}` : 'Add plan'}
      action={plan ? 'Rename' : 'Add plan'}
      isBusy={save.isPending}
      ref={form}
      // Whoever presses again after a warning has seen the name that it has now.
      onSubmit={() => save.mutate(isConflict ? now?.name : plan?.name)}
      onClose={onClose}
    >
      {isConflict && (
        <Notice tone="danger">
          Somebody else has called it {now?.name} meanwhile. Press once more to rename it all the same.
        </Notice>
      )}
      <Field
        label="Name"
        error={save.isError && !isConflict ? explain(save.error, 'The name could not be saved.') : undefined}
      >
        <Input
          name="name"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}

/** Which trunks serve a plan. Only what is ticked or unticked here changes. */
export function PlanTrunksForm({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { data: trunks = [] } = useQuery(trunksQuery)
  const [touched, setTouched] = useState<ReadonlyMap<number, boolean>>(new Map())
  const doesServe = ({ plans = [] }: { plans?: string[] }) => plans.includes(plan.name)
  const idsOf = (isAdded: boolean) =>
    [...touched].flatMap(([id, isTicked]) => (isTicked === isAdded ? id : []))
  const save = useMutation({
    mutationFn: () =>
      api('PUT /api/plans/:id/trunks', {
        params: { id: plan.id },
        body: { add: idsOf(true), remove: idsOf(false) },
      }),
    onSuccess: () => {
      toast.success(`The trunks of ${plan.name} were saved.`)
      onClose()
    },
    onSettled: refreshCatalogue,
  })
  return (
    <FormDialog
      title={`Trunks of ${plan.name}`}
      action="Save"
      isBusy={save.isPending}
      className="flex flex-col gap-3"
      onSubmit={() => {
        if (touched.size === 0) onClose()
        else save.mutate()
      }}
      onClose={onClose}
    >
      {save.isError && <Notice tone="danger">{explain(save.error, 'The trunks could not be saved.')}</Notice>}
      {trunks.map((trunk) => (
        <Checkbox
          key={trunk.id}
          label={trunk.name}
          hint={[trunk.country || 'Every country', trunk.configured_status === 'inactive' && 'inactive']
            .filter(Boolean)
            .join(', ')}
          checked={touched.get(trunk.id) ?? doesServe(trunk)}
          onChange={(event) => {
            const next = new Map(touched)
            // Back to what it was: nothing to say of it.
            if (event.target.checked === doesServe(trunk)) next.delete(trunk.id)
            else next.set(trunk.id, event.target.checked)
            setTouched(next)
          }}
        />
      ))}
      {trunks.length === 0 && <p className="text-muted text-sm">There are no trunks yet.</p>}
    </FormDialog>
  )
}
