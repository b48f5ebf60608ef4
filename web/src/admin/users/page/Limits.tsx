import { useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { messages } from '@trunkline/contract/messages'
import { api } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { ConflictNotice } from '../../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../../common/forms/use-edit-form.ts'
import { LimitFields } from '../../../common/guards/LimitFields.tsx'
import { type ListName, validateLimits } from '../../../common/guards/limits-form.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../../ui/Table.tsx'
import { toast } from '../../../ui/toast.ts'
import { guardsQuery } from '../queries.ts'
import { changeFrom, type GuardsOfUser, layersOf, limitLabels, type Typed, typedFrom } from './guards-form.ts'
import { LimitTemplate } from './LimitTemplate.tsx'
import { listCard } from './list-card.ts'

export function Limits({ user }: { user: UserDetails }) {
  const guards = useQuery(guardsQuery(user.id))
  return (
    <Loaded query={guards} failed="The limits could not be loaded.">
      {(read) => (
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
          <TitledCard title="Limits in force" className={listCard}>
            <Layers guards={read} />
          </TitledCard>
          <div className="flex min-w-0 flex-col gap-4">
            <LimitTemplate guards={read} />
            <TitledCard title="Administrator limits" aria-label="Set limits">
              {/* Another template replaces all values of the form. */}
              <LimitsForm key={read.template?.applied_at} guards={read} />
            </TitledCard>
          </div>
        </div>
      )}
    </Loaded>
  )
}

const Layers = ({ guards }: { guards: GuardsOfUser }) => (
  <Table label="Limits">
    <THead>
      <Tr>
        <Th>Limit</Th>
        <Th>In force</Th>
        <Th>Default</Th>
        <Th>Administrator</Th>
        <Th>Customer</Th>
      </Tr>
    </THead>
    <TBody>
      {layersOf(guards).map(({ label, inForce, byDefault, admin, customer }) => (
        <Tr key={label}>
          <Td className="text-muted">{label}</Td>
          <Td className="figures font-medium">{inForce}</Td>
          <Td className="figures text-muted">{byDefault}</Td>
          <Td className="figures">{admin}</Td>
          <Td className="figures">{customer}</Td>
        </Tr>
      ))}
    </TBody>
  </Table>
)

function LimitsForm({ guards }: { guards: GuardsOfUser }) {
  const { user } = guards
  const query = guardsQuery(user.id)
  const form = useEditForm<GuardsOfUser, Typed, ListName>({
    opened: guards,
    toValues: typedFrom,
    labels: limitLabels,
    validate: (typed) => validateLimits(typed),
    submit: async (typed, base) => {
      const change = changeFrom(typed, base)
      if (Object.keys(change).length === 0) return toast.info(messages.noChanges)
      const saved = await api('PATCH /api/admin/users/:id/guards', {
        params: { id: user.id },
        body: { ...change, updated_at: base.updated_at },
      })
      queryClient.setQueryData(query.queryKey, saved)
      form.restart(saved)
      toast.success(`The limits of ${user.username} were saved.`)
    },
    reload: () => queryClient.fetchQuery({ ...query, staleTime: 0 }),
    failed: 'The limits could not be saved. Please try again.',
  })
  const { defaults } = form.base

  return (
    <Form form={form} label="Set limits">
      <LimitFields
        typed={form.values}
        faults={form.errors}
        placeholderOf={({ name }) => `Default: ${defaults[name]}`}
        allowedHint="Leave blank to allow every country."
        allowable={null}
        onEdit={form.edit}
      />
      <Field label={limitLabels.highRisk}>
        <Select {...form.bind('highRisk')}>
          <option value="default">Default: {defaults.high_risk_allowed ? 'allowed' : 'blocked'}</option>
          <option value="allowed">Allowed</option>
          <option value="blocked">Blocked</option>
        </Select>
      </Field>
      <Checkbox
        {...form.bindChecked('isStopped')}
        label={limitLabels.isStopped}
        hint="New calls are refused and live calls end immediately."
      />
      <ConflictNotice form={form} />
      {form.failure && <Notice tone="danger">{form.failure}</Notice>}
      <Button type="submit" variant="primary" className="self-start" busy={form.isBusy}>
        Save limits
      </Button>
    </Form>
  )
}
