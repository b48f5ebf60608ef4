import { useMutation, useQuery } from '@tanstack/react-query'
import { EMAIL_MAX } from '@trunkline/contract/limits'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { Failure } from '../../common/Failure.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { emailQuery } from './queries.ts'

/** The address for reset links and notices, and the way to change it. */
export function EmailCard() {
  const { data, isPending, error, refetch } = useQuery(emailQuery)
  return (
    <Card id="email" aria-label="Email address" aria-busy={isPending} className="scroll-mt-24">
      <CardHeader title="Email address" />
      {isPending ? (
        <Skeleton className="h-5 w-56" />
      ) : data ? (
        <>
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <span className="break-all">{data.email ?? 'No address yet'}</span>
            {data.email && (
              <Badge tone={data.is_verified ? 'success' : 'pending'}>
                {data.is_verified ? 'Confirmed' : 'Not confirmed'}
              </Badge>
            )}
          </p>
          {data.pending && (
            <Notice tone="pending" className="mt-3">
              Open the link we sent to <span className="break-all">{data.pending}</span> to confirm it.
            </Notice>
          )}
          <ChangeEmail />
        </>
      ) : (
        <Failure onRetry={() => void refetch()}>
          {explain(error, 'Your email address could not be loaded.')}
        </Failure>
      )}
    </Card>
  )
}

function ChangeEmail() {
  const [typed, setTyped] = useState('')
  const change = useMutation({
    mutationFn: () => api('PUT /api/user/email', { body: { email: typed } }),
    onSuccess: ({ message: _, ...now }) => {
      queryClient.setQueryData(emailQuery.queryKey, now)
      setTyped('')
    },
  })
  return (
    <form
      noValidate
      aria-label="Change email address"
      className="mt-4 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!change.isPending) change.mutate()
      }}
    >
      <Field
        label="New email address"
        hint="We’ll send a confirmation link. The address changes when you open it."
      >
        <Input
          type="email"
          name="email"
          autoComplete="email"
          maxLength={EMAIL_MAX}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            change.reset()
          }}
        />
      </Field>
      {change.isError && (
        <Notice tone="danger">
          {explain(change.error, 'The link could not be sent. Please try again.')}
        </Notice>
      )}
      <Button type="submit" busy={change.isPending} disabled={typed.trim() === ''} className="self-start">
        Send link
      </Button>
    </form>
  )
}
