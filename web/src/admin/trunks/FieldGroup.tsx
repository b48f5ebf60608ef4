import type { ReactNode } from 'react'

/** Related fields in two columns. */
export const FieldGroup = ({ name, children }: { name: string; children: ReactNode }) => (
  <fieldset className="grid gap-4 sm:grid-cols-2">
    <legend className="engraved mb-3 text-muted">{name}</legend>
    {children}
  </fieldset>
)
