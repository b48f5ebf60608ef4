import type { ComponentProps, ReactNode, RefObject } from 'react'

/** What a form needs from its state. `useForm` in common/forms provides it. */
export type FormHandle = {
  ref: RefObject<HTMLFormElement | null>
  isBusy: boolean
  /** Shown when the form could not be sent and no field is to blame. */
  failure: string | null
  submit: () => void
}

type FormProps = Pick<ComponentProps<'form'>, 'onKeyDown'> & {
  form: Pick<FormHandle, 'ref' | 'submit'>
  id?: string
  /** Accessible name. */
  label?: string | undefined
  className?: string | undefined
  children: ReactNode
}

export const Form = ({
  form,
  id,
  label,
  className = 'flex flex-col gap-4',
  onKeyDown,
  children,
}: FormProps) => (
  <form
    id={id}
    ref={form.ref}
    noValidate
    aria-label={label}
    className={className}
    onKeyDown={onKeyDown}
    onSubmit={(event) => {
      event.preventDefault()
      // React also delivers the events of a form in a dialog that this form opened.
      if (event.target === event.currentTarget) form.submit()
    }}
  >
    {children}
  </form>
)
