import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { EmergencyRoute as Route } from '@trunkline/contract/emergency-route'
import { useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Select } from '../../ui/Select.tsx'
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
    <Card aria-label="Emergency calls">
      <CardHeader title="Emergency calls" />
      <Loaded query={present} failed="The route of emergency calls could not be loaded.">
        {({ route }) => <EmergencyForm key={JSON.stringify(route)} present={route} />}
      </Loaded>
    </Card>
  )
}

type Typed = { trunk_id: string; sent_as: string; callerid: string }

const typedFrom = (route: Route | null): Typed => ({
  trunk_id: route ? String(route.trunk_id) : '',
  sent_as: route?.sent_as ?? '',
  callerid: route?.callerid ?? '',
})

function EmergencyForm({ present }: { present: Route | null }) {
  const [typed, setTyped] = useState(() => typedFrom(present))
  const trunks = useQuery(trunksQuery).data ?? []
  const save = useMutation({
    mutationFn: ({ trunk_id, sent_as, callerid }: Typed) =>
      trunk_id === ''
        ? api('DELETE /api/admin/emergency-route')
        : api('PUT /api/admin/emergency-route', {
            body: { trunk_id: Number(trunk_id), sent_as: sent_as.trim() || null, callerid },
          }),
    onSuccess: (answer) => {
      queryClient.setQueryData(routeQuery.queryKey, answer)
      toast.success('Emergency calls updated.')
    },
  })
  const faultOf = (name: keyof Typed) =>
    save.error instanceof ApiError
      ? save.error.fields.find(({ field }) => field === name)?.message
      : undefined
  const hasFaults = save.error instanceof ApiError && save.error.fields.length > 0
  const bind = (name: keyof Typed) => ({
    name,
    value: typed[name],
    onChange: (event: { target: { value: string } }) => {
      setTyped({ ...typed, [name]: event.target.value })
      save.reset()
    },
  })
  return (
    <form
      noValidate
      aria-label="Emergency calls"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(typed)
      }}
    >
      <p className="text-muted text-sm">
        112, 911, 999 and the emergency numbers of a customer’s home country. These calls are free and ignore
        balance, limits and trunk capacity. Each account can have two at once.
      </p>
      {!present?.trunk_is_active && (
        <Notice tone="pending">
          {present
            ? `${present.trunk_name} is inactive: emergency calls are refused.`
            : 'No trunk carries emergency calls: they are refused. Check your legal duties in docs/telephony.md.'}
        </Notice>
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Trunk" error={faultOf('trunk_id')}>
          <Select {...bind('trunk_id')}>
            <option value="">None: refuse emergency calls</option>
            {trunks.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label="Number sent"
          optional
          error={faultOf('sent_as')}
          hint="Left empty, the carrier gets the number as dialed."
        >
          <Input {...bind('sent_as')} inputMode="tel" autoComplete="off" disabled={typed.trunk_id === ''} />
        </Field>
        <Field
          label="Caller ID"
          error={faultOf('callerid')}
          hint="For customers without an approved caller ID."
        >
          <Input {...bind('callerid')} inputMode="tel" autoComplete="off" disabled={typed.trunk_id === ''} />
        </Field>
      </div>
      {save.isError && !hasFaults && (
        <Notice tone="danger">
          {explain(save.error, 'Emergency calls could not be updated. Please try again.')}
        </Notice>
      )}
      <Button type="submit" variant="primary" className="self-start" busy={save.isPending}>
        Save emergency calls
      </Button>
    </form>
  )
}
