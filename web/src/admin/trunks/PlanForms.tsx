import { useQuery } from '@tanstack/react-query'
import type { Plan } from '@trunkline/contract/plans'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { toast } from '../../ui/toast.ts'
import { savedEntry } from '../saved-entry.ts'
import { plansQuery, refreshCatalogue, trunksQuery } from './queries.ts'

/** Adds a plan, or renames one. */
export function PlanNameForm({ plan, onClose }: { plan: Plan | null; onClose: () => void }) {
  const form = useEditForm({
    opened: plan,
    toValues: (read) => ({ name: read?.name ?? '' }),
    labels: { name: 'Name' },
    submit: async ({ name }, base) => {
      const answer = base
        ? await api('PATCH /api/plans/:id', { params: { id: base.id }, body: { name, was: base.name } })
        : await api('POST /api/plans', { body: { name } })
      toast.success(base ? `The plan is now called ${answer.plan.name}.` : `${answer.plan.name} was added.`)
      onClose()
    },
    reload: async (base) =>
      savedEntry(await queryClient.fetchQuery({ ...plansQuery, staleTime: 0 }), base?.id, 'plan'),
    failed: 'The name could not be saved.',
    fieldOf: { plan_taken: 'name' },
    onSettled: refreshCatalogue,
  })
  return (
    <FormDialog
      form={form}
      title={plan ? `Rename ${plan.name}` : 'Add plan'}
      action={plan ? 'Rename' : 'Add plan'}
      onClose={onClose}
    >
      <ConflictNotice form={form} />
      <Field label="Name" error={form.errors.name}>
        <Input {...form.bind('name')} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}

/** Chooses the trunks of a plan. Only the boxes that were changed are sent. */
export function PlanTrunksForm({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { data: trunks = [] } = useQuery(trunksQuery)
  // Not by name: after a renaming, the trunks have the old name until they are read again.
  const doesServe = ({ id }: { id: number }) => plan.trunk_ids.includes(id)
  const form = useForm({
    /** Trunks whose box differs from what is saved, by id. */
    initial: { touched: new Map<number, boolean>() },
    submit: async ({ touched }) => {
      const idsOf = (isAdded: boolean) =>
        [...touched].flatMap(([id, isChecked]) => (isChecked === isAdded ? id : []))
      if (touched.size > 0) {
        await api('PUT /api/plans/:id/trunks', {
          params: { id: plan.id },
          body: { add: idsOf(true), remove: idsOf(false) },
        })
        toast.success(`The trunks of ${plan.name} were saved.`)
      }
      onClose()
    },
    failed: 'The trunks could not be saved.',
    onSettled: refreshCatalogue,
  })
  const { touched } = form.values
  return (
    <FormDialog
      form={form}
      title={`Trunks of ${plan.name}`}
      action="Save"
      className="flex flex-col gap-3"
      onClose={onClose}
    >
      {trunks.map((trunk) => (
        <Checkbox
          key={trunk.id}
          label={trunk.name}
          hint={[trunk.country || 'Every country', trunk.configured_status === 'inactive' && 'inactive']
            .filter(Boolean)
            .join(', ')}
          checked={touched.get(trunk.id) ?? doesServe(trunk)}
          onChange={({ target: { checked } }) => {
            const next = new Map(touched)
            if (checked === doesServe(trunk)) next.delete(trunk.id)
            else next.set(trunk.id, checked)
            form.edit({ touched: next })
          }}
        />
      ))}
      {trunks.length === 0 && <p className="text-muted text-sm">There are no trunks yet.</p>}
    </FormDialog>
  )
}
