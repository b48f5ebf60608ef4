import { useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { messages } from '@trunkline/contract/messages'
import { useRef, useState } from 'react'
import { ApiError, api, explain } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { LimitFields } from '../../../common/guards/LimitFields.tsx'
import { type Faults, faultsFrom, faultsIn } from '../../../common/guards/limits-form.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Field } from '../../../ui/Field.tsx'
import { focusFault } from '../../../ui/focus-fault.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../../ui/Table.tsx'
import { toast } from '../../../ui/toast.ts'
import { guardsQuery } from '../queries.ts'
import { changeFrom, type GuardsOfUser, layersOf, typedFrom } from './guards-form.ts'

export function Limits({ user }: { user: UserDetails }) {
  const guards = useQuery(guardsQuery(user.id))
  return (
    <Loaded query={guards} failed="The limits could not be loaded.">
      {(read) => (
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
          <Card aria-label="Limits in force">
            <CardHeader title="Limits in force" />
            <Layers guards={read} />
          </Card>
          <Card aria-label="Set limits">
            <CardHeader title="Set by administrators" />
            {/* Anew when somebody else has set something: the form says so before it is. */}
            <LimitsForm key={read.updated_at} guards={read} />
          </Card>
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

/** What is left empty is left to the default. */
function LimitsForm({ guards }: { guards: GuardsOfUser }) {
  const [typed, setTyped] = useState(() => typedFrom(guards))
  const [faults, setFaults] = useState<Faults>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { defaults, user } = guards

  function edit(change: Partial<typeof typed>) {
    setTyped({ ...typed, ...change })
    setFaults({})
    setRefusal(null)
  }

  async function save() {
    const found = faultsIn(typed)
    setFaults(found)
    if (focusFault(form.current, found)) return
    const change = changeFrom(typed, guards)
    if (Object.keys(change).length === 0) return toast.info(messages.noChanges)
    setBusy(true)
    try {
      const saved = await api('PATCH /api/admin/users/:id/guards', {
        params: { id: user.id },
        body: { ...change, updated_at: guards.updated_at },
      })
      queryClient.setQueryData(guardsQuery(user.id).queryKey, saved)
      toast.success(`The limits of ${user.username} are in force.`)
    } catch (error) {
      setFaults(error instanceof ApiError ? faultsFrom(error.fields) : {})
      setRefusal(explain(error, 'The limits could not be saved. Please try again.'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label="Set limits"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void save()
      }}
    >
      <LimitFields
        typed={typed}
        faults={faults}
        placeholderOf={({ name }) => `Default: ${defaults[name]}`}
        allowedHint="With none chosen, every country."
        allowable={null}
        onEdit={edit}
      />
      <Field label="High-risk numbers">
        <Select
          value={typed.highRisk}
          onChange={(event) => edit({ highRisk: event.target.value as typeof typed.highRisk })}
        >
          <option value="default">Default: {defaults.high_risk_allowed ? 'allowed' : 'blocked'}</option>
          <option value="allowed">Allowed</option>
          <option value="blocked">Blocked</option>
        </Select>
      </Field>
      <Checkbox
        label="Stop all calls"
        hint="New calls are refused and live calls end at once."
        checked={typed.isStopped}
        onChange={(event) => edit({ isStopped: event.target.checked })}
      />
      {refusal && (
        <Notice tone="danger">
          <p>{refusal}</p>
          <Button
            size="sm"
            className="mt-2.5"
            onClick={() => void queryClient.invalidateQueries({ queryKey: guardsQuery(user.id).queryKey })}
          >
            Show what is set now
          </Button>
        </Notice>
      )}
      <Button type="submit" variant="primary" className="self-start" busy={isBusy}>
        Save limits
      </Button>
    </form>
  )
}
