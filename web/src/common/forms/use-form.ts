import type { ErrorCode } from '@trunkline/contract/errors'
import { useRef, useState } from 'react'
import { ApiError, explain } from '../../app/api.ts'
import type { FormHandle } from '../../ui/Form.tsx'

/** One sentence for each invalid field, by the name of its control. */
export type FieldErrors<Name extends string> = Partial<Record<Name, string>>

type Name<Values> = Extract<keyof Values, string>

type FormOptions<Values, Extra extends string> = {
  initial: Values | (() => Values)
  /** Holds the values elsewhere, for example in a draft that outlives the screen. */
  state?: readonly [values: Values, set: (values: Values) => void]
  /** Runs before `submit`. Any error stops the form and moves the focus to its field. */
  validate?: (values: Values) => FieldErrors<Name<Values> | Extra>
  /** Like `validate`, for a sentence that concerns the whole form. */
  check?: (values: Values) => string | null
  /** Sends the values. A returned string is shown as the success message, a thrown error as the failure. */
  submit: (values: Values) => unknown
  /** The sentence for an error that has none of its own. A function describes every error, also those of fields. */
  failed: string | ((error: unknown) => string)
  /** Shown until the first edit. */
  feedback?: Feedback | null
  /** Refusals that concern one field although the server names none. */
  fieldOf?: Partial<Record<ErrorCode, Name<Values>>>
  /** Replaces the notice in the form. */
  onFailure?: (sentence: string) => void
  /** Runs after every attempt that reached the server. */
  onSettled?: () => unknown
}

export type Feedback = { tone: 'danger' | 'success'; text: string }

export type FormState<Values, Extra extends string = never> = FormHandle & {
  values: Values
  /** The outcome of the last attempt; the next edit removes it. */
  feedback: Feedback | null
  errors: FieldErrors<Name<Values> | Extra>
  /** Changes values, and removes the errors that no longer apply. */
  edit: (change: Partial<Values>) => void
  /** Replaces all values and removes all errors. */
  reset: (values: Values) => void
  /** Props of an input, textarea or select. */
  bind: <Field extends Name<Values>>(
    field: Field,
  ) => { name: Field; value: Values[Field]; onChange: (event: { target: { value: string } }) => void }
  /** Props of a checkbox. */
  bindChecked: <Field extends Name<Values>>(
    field: Field,
  ) => { name: Field; checked: Values[Field]; onChange: (event: { target: { checked: boolean } }) => void }
}

/** The state of a form: values, errors by field, and the attempt to send it. */
export function useForm<Values extends object, Extra extends string = never>({
  initial,
  state,
  validate,
  check,
  submit,
  failed,
  feedback: arrival = null,
  fieldOf = {},
  onFailure,
  onSettled,
}: FormOptions<Values, Extra>): FormState<Values, Extra> {
  type Errors = FieldErrors<Name<Values> | Extra>
  const own = useState(initial)
  const [values, setValues] = state ?? own
  const [errors, setErrors] = useState<Errors>({})
  const [feedback, setFeedback] = useState(arrival)
  const [isBusy, setBusy] = useState(false)
  const ref = useRef<HTMLFormElement>(null)

  function reset(next: Values) {
    setValues(next)
    setErrors({})
    setFeedback(null)
  }

  function edit(change: Partial<Values>) {
    const next = { ...values, ...change }
    setValues(next)
    setFeedback(null)
    const found: Errors = validate?.(next) ?? {}
    const remain = (name: string) => name in found && !(name in change)
    setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => remain(name))) as Errors)
  }

  async function send() {
    if (isBusy) return
    setFeedback(null)
    const found: Errors = validate?.(values) ?? {}
    setErrors(found)
    focusFirst(ref.current, found)
    if (Object.values(found).some(Boolean)) return
    const fault = check?.(values)
    if (fault) return setFeedback({ tone: 'danger', text: fault })
    setBusy(true)
    try {
      const message = await submit(values)
      if (typeof message === 'string') setFeedback({ tone: 'success', text: message })
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
    void onSettled?.()
  }

  function showError(error: unknown) {
    const found = typeof failed === 'string' ? errorsOf(error, ref.current, fieldOf) : {}
    setErrors(found as Errors)
    if (focusFirst(ref.current, found)) return
    const sentence = typeof failed === 'string' ? explain(error, failed) : failed(error)
    if (onFailure) onFailure(sentence)
    else setFeedback({ tone: 'danger', text: sentence })
  }

  return {
    ref,
    values,
    errors,
    feedback,
    failure: feedback?.tone === 'danger' ? feedback.text : null,
    isBusy,
    edit,
    reset,
    submit: () => void send(),
    bind: (name) => ({
      name,
      value: values[name],
      onChange: ({ target }) => edit({ [name]: target.value } as unknown as Partial<Values>),
    }),
    bindChecked: (name) => ({
      name,
      checked: values[name],
      onChange: ({ target }) => edit({ [name]: target.checked } as unknown as Partial<Values>),
    }),
  }
}

const controlsOf = (form: HTMLFormElement | null) => [...(form?.elements ?? [])] as HTMLInputElement[]

/** Focuses the first control that has an error, in the order of the page. Returns false if there is none. */
function focusFirst(form: HTMLFormElement | null, errors: object): boolean {
  const first = controlsOf(form).find(({ name }) => name !== '' && name in errors)
  first?.focus()
  return first !== undefined
}

/** `rates.0.price` belongs to the control of that name, `plans.0` to the one named `plans`. */
function errorsOf(
  error: unknown,
  form: HTMLFormElement | null,
  fieldOf: Partial<Record<ErrorCode, string>>,
): FieldErrors<string> {
  if (!(error instanceof ApiError)) return {}
  const found: FieldErrors<string> = {}
  const field = error.code && fieldOf[error.code]
  if (field) found[field] = error.message
  for (const { field, message } of error.fields) {
    const hasControl = controlsOf(form).some(({ name }) => name === field)
    found[hasControl ? field : (field.split('.')[0] ?? field)] ??= message
  }
  return found
}
