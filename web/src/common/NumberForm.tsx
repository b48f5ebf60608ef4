import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Input } from '../ui/Input.tsx'

type NumberFormProps = {
  label: string
  action: string
  start?: string
  onAsk: (number: string) => void
  /** The label stands beside the number on wide screens. */
  isLine?: boolean
  /** Further fields, before the button. */
  children?: ReactNode
}

/** A form with one phone number. */
export function NumberForm({ label, action, start = '', onAsk, isLine, children }: NumberFormProps) {
  const [typed, setTyped] = useState(start)
  return (
    <form
      noValidate
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk(typed.trim())
      }}
    >
      <Field label={label} isLine={isLine} className="w-full max-w-md sm:w-auto sm:flex-1">
        <Input
          type="tel"
          name="number"
          autoComplete="off"
          maxLength={40}
          placeholder="+44 20 7946 0958"
          className="figures"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {children}
      <Button type="submit" className="max-sm:w-full">
        <Search aria-hidden />
        {action}
      </Button>
    </form>
  )
}
