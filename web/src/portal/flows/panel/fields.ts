import type { Step } from '@trunkline/domain/flows'

/** The fields of a kind of step. Edits with the same tag are undone together. */
export type FieldsOf<Kind extends Step['kind']> = {
  step: Step<Kind>
  onEdit: (change: Partial<Step<Kind>>, tag?: string) => void
}
