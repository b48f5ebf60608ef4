import { queryOptions, useQuery } from '@tanstack/react-query'
import type { EmergencyRoute as Route } from '@trunkline/contract/emergency-route'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { Button } from '../../ui/Button.tsx'
import { TitledCard } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { trunksQuery } from './queries.ts'

const routeQuery = queryOptions({
  queryKey: ['admin', 'emergency-route'],
  queryFn: ({ signal }) => api('GET /api/admin/emergency-route', { signal }),
})

/** Which trunk carries 112, 911, 999 and the emergency numbers of a customer's home country. */
export function EmergencyRoute() {
  const present = useQuery(routeQuery)
  return (
    <TitledCard title="Emergency calls">
      <Loaded query={present} failed="The emergency route could not be loaded.">
        {({ route }) => <EmergencyForm key={JSON.stringify(route)} present={route} />}
      </Loaded>
    </TitledCard>
  )
}

type Typed = { trunk_id: string; sent_as: string; callerid: string }

const typedFrom = (route: Route | null): Typed => ({
  trunk_id: route ? String(route.trunk_id) : '',
  sent_as: route?.sent_as ?? '',
  callerid: route?.callerid ?? '',
})

function EmergencyForm({ present }: { present: Route | null }) {
  const trunks = useQuery(trunksQuery).data ?? []
  const form = useForm<Typed>({
    initial: () => typedFrom(present),
    submit: async ({ trunk_id, sent_as, callerid }) => {
      const answer =
        trunk_id === ''
          ? await api('DELETE /api/admin/emergency-route')
          : await api('PUT /api/admin/emergency-route', {
              body: { trunk_id: Number(trunk_id), sent_as: sent_as.trim() || null, callerid },
            })
      queryClient.setQueryData(routeQuery.queryKey, answer)
      toast.success('Emergency calls updated.')
    },
    failed: 'Emergency calls could not be updated. Please try again.',
  })
  const { bind, errors, values } = form
  return (
    <Form form={form} label="Emergency calls">
      <p className="text-muted text-sm">
        112, 911, 999 and the emergency numbers of a customer’s home country. These calls are free and ignore
        balance, limits and trunk capacity. Each account can have two at once.
      </p>
      {!present?.trunk_is_active && (
        <Notice tone="pending">
          {present
            ? `${present.trunk_name} is inactive. Emergency calls are refused.`
            : 'No trunk carries emergency calls, so they are refused. See docs/telephony.md for your legal duties.'}
        </Notice>
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Trunk" error={errors.trunk_id}>
          <Select {...bind('trunk_id')}>
            <option value="">None (refuse emergency calls)</option>
            <Options of={trunks.map(({ id, name }) => [id, name])} />
          </Select>
        </Field>
        <Field
          label="Number sent"
          optional
          error={errors.sent_as}
          hint="Leave blank to send the number as dialed."
        >
          <Input {...bind('sent_as')} inputMode="tel" autoComplete="off" disabled={values.trunk_id === ''} />
        </Field>
        <Field label="Caller ID" error={errors.callerid} hint="For customers without an approved caller ID.">
          <Input {...bind('callerid')} inputMode="tel" autoComplete="off" disabled={values.trunk_id === ''} />
        </Field>
      </div>
      {form.failure && <Notice tone="danger">{form.failure}</Notice>}
      <Button type="submit" variant="primary" className="self-start" busy={form.isBusy}>
        Save emergency calls
      </Button>
    </Form>
  )
}
