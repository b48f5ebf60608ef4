import type { DestinationValues, PlanErrors } from './ring-form.ts'

/** The fields of one kind of destination. */
export type DestinationProps = {
  values: DestinationValues
  /** The path of the destination in the request. */
  path: string
  errors: PlanErrors
  onEdit: (change: Partial<DestinationValues>) => void
  /** The rented number, as shown. */
  ownNumber: string
}

/** Gives the props of an input or select. */
export const binder =
  (values: DestinationValues, path: string, onEdit: DestinationProps['onEdit']) =>
  <Name extends Exclude<keyof DestinationValues, 'steps'>>(name: Name) => ({
    name: `${path}.${name}`,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => onEdit({ [name]: target.value }),
  })
