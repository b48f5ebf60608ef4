import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { CountryList } from '../CountryList.tsx'
import { type Faults, type Figure, figures, type TypedLimits } from './limits-form.ts'

type LimitFieldsProps = {
  typed: TypedLimits
  faults: Faults
  placeholderOf: (figure: Figure) => string
  hintOf?: (figure: Figure) => string
  allowedHint: string
  /** The countries that can be allowed; null for all. */
  allowable: readonly string[] | null
  onEdit: (change: Partial<TypedLimits>) => void
}

/** An empty field sets no limit. */
export const LimitFields = ({
  typed,
  faults,
  placeholderOf,
  hintOf,
  allowedHint,
  allowable,
  onEdit,
}: LimitFieldsProps) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      {figures.map((figure) => (
        <Field key={figure.name} label={figure.label} error={faults[figure.name]} hint={hintOf?.(figure)}>
          <Input
            name={figure.name}
            inputMode={figure.unit === 'dollars' ? 'decimal' : 'numeric'}
            autoComplete="off"
            placeholder={placeholderOf(figure)}
            className="figures"
            value={typed[figure.name]}
            onChange={(event) => onEdit({ [figure.name]: event.target.value })}
          />
        </Field>
      ))}
    </div>
    <CountryList
      label="Allowed countries"
      hint={allowedHint}
      error={faults.allowed_countries}
      codes={typed.allowed}
      offered={allowable}
      onChange={(allowed) => onEdit({ allowed })}
    />
    <CountryList
      label="Blocked countries"
      hint="Calls to these countries are always refused."
      error={faults.blocked_countries}
      codes={typed.blocked}
      offered={null}
      onChange={(blocked) => onEdit({ blocked })}
    />
  </>
)
