import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { api } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { useUser } from '../../../app/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Input } from '../../../ui/Input.tsx'
import { toast } from '../../../ui/toast.ts'
import { faultIn, onlyDigits, saveFailure } from './caller-id.ts'
import { callerIdQuery } from './queries.ts'

/** Opens with the current number; what was typed stays when saving fails. */
export function CallerIdForm({ current, onDone }: { current: string; onDone: () => void }) {
  const [typed, setTyped] = useState(current)
  const [fault, setFault] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const user = useUser()
  const faultId = useId()
  const save = useMutation({
    mutationFn: (callerid: string) =>
      api('POST /api/user/callerid', { body: { callerid, countrycode: '', name: user?.username ?? '' } }),
    onSuccess: ({ message, ...saved }) => {
      queryClient.setQueryData(callerIdQuery.queryKey, saved)
      toast.success(message)
      onDone()
    },
    onError: (error) => toast.error(saveFailure(error)),
  })

  // A dialog that led here gives the focus back to where it came from first.
  useEffect(() => {
    const timer = setTimeout(() => input.current?.focus())
    return () => clearTimeout(timer)
  }, [])

  function submit() {
    const found = faultIn(typed)
    setFault(found)
    if (found) input.current?.focus()
    else if (!save.isPending) save.mutate(typed)
  }

  return (
    <form
      noValidate
      className="flex flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <div className="relative">
        <span aria-hidden className="absolute inset-y-0 left-3 flex items-center text-muted">
          +
        </span>
        <Input
          ref={input}
          name="callerid"
          aria-label="Caller ID, country code and number"
          aria-invalid={fault ? true : undefined}
          aria-describedby={faultId}
          inputMode="numeric"
          autoComplete="off"
          placeholder="14155550142"
          className="figures pl-6.5"
          value={typed}
          onChange={(event) => {
            setTyped(onlyDigits(event.target.value))
            setFault(null)
          }}
        />
      </div>
      <div id={faultId} className="mt-1.5 mb-3 text-sm">
        {fault ? (
          <p role="alert" className="text-danger">
            {fault}
          </p>
        ) : (
          <p className="text-muted">Country code and number, 7 to 16 digits</p>
        )}
      </div>
      <div className="mt-auto flex gap-2">
        <Button type="submit" busy={save.isPending}>
          Save
        </Button>
        <Button variant="ghost" disabled={save.isPending} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
