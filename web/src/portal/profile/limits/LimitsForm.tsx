import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, api, explain } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { CountryList } from '../../../common/CountryList.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { guardsQuery, type OwnGuards } from '../queries.ts'
import { changeFrom, type Faults, faultsFrom, faultsIn, figures, shownFigure, typedFrom } from './limits.ts'

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
      toast.success('Your limits are in force.')
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
    const first = figures.find(({ name }) => found[name])
    const field = first && form.current?.elements.namedItem(first.name)
    if (field instanceof HTMLElement) field.focus()
    else if (!save.isPending) save.mutate()
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
      <div className="grid gap-4 sm:grid-cols-2">
        {figures.map((figure) => (
          <Field
            key={figure.name}
            label={figure.label}
            error={faults[figure.name]}
            hint={`At most ${shownFigure(figure, ceiling)}`}
          >
            <Input
              name={figure.name}
              inputMode={figure.unit === 'dollars' ? 'decimal' : 'numeric'}
              autoComplete="off"
              placeholder={String(ceiling[figure.name])}
              className="figures"
              value={typed[figure.name]}
              onChange={(event) => change({ [figure.name]: event.target.value })}
            />
          </Field>
        ))}
      </div>
      <CountryList
        label="Only these countries"
        hint="With none chosen, every country your account allows can be called."
        error={faults.allowed_countries}
        codes={typed.allowed}
        offered={ceiling.allowed_countries?.map(({ country_code }) => country_code) ?? null}
        onChange={(allowed) => change({ allowed })}
      />
      <CountryList
        label="Never these countries"
        hint="Calls there are refused, whatever else is allowed."
        error={faults.blocked_countries}
        codes={typed.blocked}
        offered={null}
        onChange={(blocked) => change({ blocked })}
      />
      <Checkbox
        label="Block high-risk numbers"
        hint={
          ceiling.high_risk_allowed
            ? 'Premium-rate, satellite and other numbers that fraud likes best.'
            : 'Premium-rate, satellite and other numbers that fraud likes best. They are blocked for your account; ask support if you need them.'
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
