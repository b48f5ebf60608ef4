import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, api, explain } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { LimitFields } from '../../../common/guards/LimitFields.tsx'
import { type Faults, faultsFrom } from '../../../common/guards/limits-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { focusFault } from '../../../ui/focus-fault.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { guardsQuery, type OwnGuards } from '../queries.ts'
import { changeFrom, faultsIn, shownFigure, typedFrom } from './limits.ts'

/** Own limits below those of the account. What was typed stays when saving fails. */
export function LimitsForm({ guards, onDone }: { guards: OwnGuards; onDone: () => void }) {
  const { ceiling } = guards
  const [typed, setTyped] = useState(() => typedFrom(guards))
  const [faults, setFaults] = useState<Faults>({})
  const form = useRef<HTMLFormElement>(null)
  const save = useMutation({
    mutationFn: () => api('PATCH /api/user/guards', { body: changeFrom(typed, guards) }),
    onSuccess: (saved) => {
      queryClient.setQueryData(guardsQuery.queryKey, saved)
      toast.success('Limits saved.')
      onDone()
    },
    onError: (error) => setFaults(error instanceof ApiError ? faultsFrom(error.fields) : {}),
  })

  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  function change(part: Partial<typeof typed>) {
    setTyped({ ...typed, ...part })
    setFaults({})
    save.reset()
  }

  function submit() {
    const found = faultsIn(typed, ceiling)
    setFaults(found)
    if (!focusFault(form.current, found) && !save.isPending) save.mutate()
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label="Change limits"
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <LimitFields
        typed={typed}
        faults={faults}
        placeholderOf={({ name }) => String(ceiling[name])}
        hintOf={(figure) => `At most ${shownFigure(figure, ceiling)}`}
        allowedHint="Leave empty to call every country your account allows."
        allowable={ceiling.allowed_countries?.map(({ country_code }) => country_code) ?? null}
        onEdit={change}
      />
      <Checkbox
        label="Block high-risk numbers"
        hint={
          ceiling.high_risk_allowed
            ? 'Premium-rate, satellite and other numbers often targeted by fraud.'
            : 'Premium-rate, satellite and other numbers often targeted by fraud. They are blocked for your account. Contact support if you need them.'
        }
        checked={typed.blocksHighRisk || !ceiling.high_risk_allowed}
        disabled={!ceiling.high_risk_allowed}
        onChange={(event) => change({ blocksHighRisk: event.target.checked })}
      />
      {save.isError && (
        <Notice tone="danger">
          {explain(save.error, 'The limits could not be saved. Please try again.')}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={save.isPending}>
          Save limits
        </Button>
        <Button variant="ghost" disabled={save.isPending} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
