import { useQuery } from '@tanstack/react-query'
import { EMAIL_MAX } from '@trunkline/contract/limits'
import { api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { Failure } from '../../common/Failure.tsx'
import { FormFeedback } from '../../common/forms/FormFeedback.tsx'
import { useForm } from '../../common/forms/use-form.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { TitledCard } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { emailQuery } from './queries.ts'

export function EmailCard() {
  const { data, isPending, error, refetch } = useQuery(emailQuery)
  return (
    <TitledCard title="Email address" id="email" aria-busy={isPending} className="scroll-mt-24">
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
    </TitledCard>
  )
}

function ChangeEmail() {
  const form = useForm({
    initial: { email: '' },
    submit: async ({ email }) => {
      const { message: _, ...saved } = await api('PUT /api/user/email', { body: { email } })
      queryClient.setQueryData(emailQuery.queryKey, saved)
      form.reset({ email: '' })
    },
    failed: 'The link could not be sent. Please try again.',
  })
  return (
    <Form form={form} label="Change email address" className="mt-4 flex flex-col gap-3">
      <Field
        label="New email address"
        error={form.errors.email}
        hint="We’ll send a confirmation link. The address changes when you open it."
      >
        <Input {...form.bind('email')} type="email" autoComplete="email" maxLength={EMAIL_MAX} />
      </Field>
      <FormFeedback form={form} />
      <Button
        type="submit"
        busy={form.isBusy}
        disabled={form.values.email.trim() === ''}
        className="self-start"
      >
        Send link
      </Button>
    </Form>
  )
}
