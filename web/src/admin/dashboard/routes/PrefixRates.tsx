import { ROUTE_RATES_MAX } from '@trunkline/contract/limits'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { AddButton } from '../../../ui/AddButton.tsx'

import { Input } from '../../../ui/Input.tsx'
import { blankRate, type Errors, type RateDraft } from './route-draft.ts'

type PrefixRatesProps = {
  rates: readonly RateDraft[]
  errors: Errors
  onChange: (rates: readonly RateDraft[]) => void
}

const columns = [
  { name: 'prefix', label: 'Prefix', inputMode: 'tel' },
  { name: 'price', label: 'Price', inputMode: 'decimal' },
  { name: 'connect_fee', label: 'Fee', inputMode: 'decimal' },
  { name: 'first_increment', label: 'First s', inputMode: 'numeric' },
  { name: 'next_increment', label: 'Next s', inputMode: 'numeric' },
] as const satisfies readonly { name: keyof RateDraft; [more: string]: string }[]

const row = 'grid grid-cols-[1.6fr_1.4fr_1fr_1fr_1fr_2rem] items-start gap-1.5'

/** The longest matching prefix sets the price of a call. */
export function PrefixRates({ rates, errors, onChange }: PrefixRatesProps) {
  const heading = useId()
  const edit = (at: number, change: Partial<RateDraft>) =>
    onChange(rates.map((rate, index) => (index === at ? { ...rate, ...change } : rate)))
  return (
    <section aria-labelledby={heading}>
      <div className="mb-2 flex items-center justify-between gap-3">
        <h3 id={heading} className="font-medium text-sm">
          Rates by prefix
        </h3>
        <AddButton
          size="sm"
          disabled={rates.length >= ROUTE_RATES_MAX}
          onClick={() => onChange([...rates, blankRate])}
        >
          Add prefix
        </AddButton>
      </div>
      {rates.length === 0 ? (
        <p className="text-muted text-sm">The same price for every number in the country.</p>
      ) : (
        <>
          <div aria-hidden className={`${row} engraved mb-1 text-muted`}>
            {columns.map(({ name, label }) => (
              <span key={name}>{label}</span>
            ))}
          </div>
          <ol className="flex max-h-56 flex-col gap-1.5 overflow-y-auto p-0.5">
            {rates.map((rate, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place; its prefix is what is being typed
              <li key={at}>
                <Line rate={rate} at={at} errors={errors} onEdit={(change) => edit(at, change)}>
                  <button
                    type="button"
                    aria-label={`Remove prefix ${rate.prefix || at + 1}`}
                    onClick={() => onChange(rates.toSpliced(at, 1))}
                    className="grid h-9 w-8 place-items-center rounded-md text-muted hover:bg-danger-soft hover:text-danger"
                  >
                    <Trash2 aria-hidden className="size-4" />
                  </button>
                </Line>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

type LineProps = {
  rate: RateDraft
  at: number
  errors: Errors
  onEdit: (change: Partial<RateDraft>) => void
  children: ReactNode
}

function Line({ rate, at, errors, onEdit, children }: LineProps) {
  const id = useId()
  const wrong = columns.flatMap(({ name }) => errors[`rates.${at}.${name}`] ?? [])
  return (
    <>
      <div className={row}>
        {columns.map(({ name, label, inputMode }) => (
          <Input
            key={name}
            name={`rates.${at}.${name}`}
            aria-label={`${label} of line ${at + 1}`}
            aria-invalid={errors[`rates.${at}.${name}`] ? true : undefined}
            aria-describedby={wrong.length > 0 ? id : undefined}
            inputMode={inputMode}
            autoComplete="off"
            className="figures h-9! px-2!"
            value={rate[name]}
            onChange={(event) => onEdit({ [name]: event.target.value })}
          />
        ))}
        {children}
      </div>
      {wrong.length > 0 && (
        <p id={id} className="mt-1 text-danger text-sm">
          {wrong.join(' ')}
        </p>
      )}
    </>
  )
}
