import { useState } from 'react'
import { ApiError } from '../../app/api.ts'
import { type Change, type Comparison, merge } from './conflict.ts'
import { type FormState, useForm } from './use-form.ts'

type EditOptions<Resource, Values extends object, Extra extends string> = Omit<
  Parameters<typeof useForm<Values, Extra>>[0],
  'initial' | 'submit' | 'validate'
> &
  Comparison<Values> & {
    /** As it was read when the form opened. */
    opened: Resource
    toValues: (resource: Resource) => Values
    validate?: (values: Values, base: Resource) => ReturnType<typeof useForm<Values, Extra>>['errors']
    /** `base` is the version that the values are based on. */
    submit: (values: Values, base: Resource) => unknown
    /** Reads the saved version after a conflict. A thrown error is shown by the form. */
    reload: (base: Resource) => Promise<Resource>
    /** Told when the form continues from another version, for values that are held elsewhere. */
    onBase?: (base: Resource, values: Values) => void
  }

type EditState<Resource, Values, Extra extends string> = FormState<Values, Extra> & {
  base: Resource
  /** The fields that someone else changed since the form was opened; null without a conflict. */
  conflict: Change[] | null
  /** Starts again from a version of the resource. */
  restart: (resource: Resource) => void
  /** Drops what was typed. */
  discard: () => void
}

/**
 * A form that edits a resource with a version. If someone else saves first, the form shows their changes and keeps
 * what was typed; saving again applies it to their version.
 */
export function useEditForm<Resource, Values extends object, Extra extends string = never>({
  opened,
  toValues,
  submit,
  reload,
  onBase,
  validate,
  labels,
  isSame,
  show,
  ...options
}: EditOptions<Resource, Values, Extra>): EditState<Resource, Values, Extra> {
  const [base, setBase] = useState(opened)
  const [conflict, setConflict] = useState<Change[] | null>(null)

  const form = useForm<Values, Extra>({
    ...options,
    initial: () => toValues(opened),
    validate: (values) => validate?.(values, base) ?? {},
    submit: async (values) => {
      try {
        await submit(values, base)
        setConflict(null)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'changed_meanwhile') throw error
        const saved = await reload(base)
        const merged = merge(values, toValues(base), toValues(saved), { labels, isSame, show })
        adopt(saved, merged.values)
        // The other change does not concern this form. A second conflict is an ordinary failure.
        if (merged.changes.length === 0) await submit(merged.values, saved)
        else setConflict(merged.changes)
      }
    },
  })

  function adopt(resource: Resource, values: Values) {
    setBase(resource)
    form.reset(values)
    onBase?.(resource, values)
  }

  function restart(resource: Resource) {
    setConflict(null)
    adopt(resource, toValues(resource))
  }

  return { ...form, base, conflict, restart, discard: () => restart(base) }
}
