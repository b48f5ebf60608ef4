import type { Step } from '@trunkline/domain/flows'

/** Gives the value of a field and its change. Edits of the same field are undone together. */
export const binder =
  <Edited extends object>(step: Edited, onEdit: (change: Partial<Edited>, tag: string) => void) =>
  <Name extends Extract<keyof Edited, string>>(name: Name) => ({
    value: step[name],
    onChange: (value: Edited[Name]) => onEdit({ [name]: value } as unknown as Partial<Edited>, name),
  })

/** The fields of a kind of step. Edits with the same tag are undone together. */
export type FieldsOf<Kind extends Step['kind']> = {
  step: Step<Kind>
  onEdit: (change: Partial<Step<Kind>>, tag?: string) => void
}
