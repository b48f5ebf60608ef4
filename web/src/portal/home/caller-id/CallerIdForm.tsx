import { useEffect, useId } from 'react'
import { api } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { useUser } from '../../../app/session.ts'
import { useForm } from '../../../common/forms/use-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Input } from '../../../ui/Input.tsx'
import { toast } from '../../../ui/toast.ts'
import { callerIdQuery } from '../queries.ts'
import { onlyDigits, saveFailure, validateCallerId } from './caller-id.ts'

export function CallerIdForm({ current, onDone }: { current: string; onDone: () => void }) {
  const user = useUser()
  const hintId = useId()
  const form = useForm({
    initial: { callerid: current },
    validate: validateCallerId,
    submit: async ({ callerid }) => {
      const body = { callerid, countrycode: '', name: user?.username ?? '' }
      const { message, ...saved } = await api('POST /api/user/callerid', { body })
      queryClient.setQueryData(callerIdQuery.queryKey, saved)
      toast.success(message)
      onDone()
    },
    failed: saveFailure,
    onFailure: toast.error,
  })
  const error = form.errors.callerid

  // A dialog that led here first returns the focus to the element that opened it.
  useEffect(() => {
    const timer = setTimeout(() => form.ref.current?.querySelector('input')?.focus())
    return () => clearTimeout(timer)
  }, [form.ref])

  return (
    <Form
      form={form}
      className="flex flex-1 flex-col"
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <div className="relative">
        <span aria-hidden className="absolute inset-y-0 left-3 flex items-center text-muted">
          +
        </span>
        <Input
          {...form.bind('callerid')}
          aria-label="Caller ID, country code and number"
          aria-invalid={error ? true : undefined}
          aria-describedby={hintId}
          inputMode="numeric"
          autoComplete="off"
          placeholder="14155550142"
          className="figures pl-6.5"
          onChange={(event) => form.edit({ callerid: onlyDigits(event.target.value) })}
        />
      </div>
      <div id={hintId} className="mt-1.5 mb-3 text-sm">
        {error ? (
          <p role="alert" className="text-danger">
            {error}
          </p>
        ) : (
          <p className="text-muted">Country code and number, 7 to 16 digits</p>
        )}
      </div>
      <div className="mt-auto flex gap-2">
        <Button type="submit" busy={form.isBusy}>
          Save
        </Button>
        <Button variant="ghost" disabled={form.isBusy} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
