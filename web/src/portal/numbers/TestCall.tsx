import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RentedNumber } from '@trunkline/contract/numbers'
import type { TestCall } from '@trunkline/contract/test-calls'
import { ApiError, api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { useSite } from '../../app/site.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useFlowNames } from '../flow-queries.ts'
import { useOpenPhone } from '../phone/phone-context.ts'
import { testCallQuery } from './queries.ts'
import { describePlan, showNumber } from './words.ts'

/** Calls the number through the switch, so that its phones and this browser ring. */
export function useTestCall({ id }: RentedNumber) {
  const start = useMutation({
    mutationFn: () => api('POST /api/numbers/:id/test-calls', { params: { id } }),
    onSuccess: (answer) => queryClient.setQueryData(testCallQuery(id).queryKey, answer.test_call),
  })
  const { data } = useQuery({ ...testCallQuery(id), enabled: start.isSuccess })
  const call = start.isSuccess ? (data ?? null) : null
  return {
    call,
    error: start.error,
    isBusy: start.isPending || call?.is_running === true,
    start: () => start.mutate(),
  }
}

type Test = ReturnType<typeof useTestCall>

/** In the demo the call comes from the public network. */
export function TestButton({ number, test }: { number: RentedNumber; test: Test }) {
  const dialUrl = useSite()?.demo?.dial_url
  const isSuspended = number.state === 'suspended'
  const label = `Test ${showNumber(number.number)}`
  if (dialUrl && !isSuspended)
    return (
      <a
        href={`${dialUrl}?${new URLSearchParams({ number: number.number, dial: 'yes' })}`}
        target="_blank"
        rel="noopener"
        aria-label={`${label} (opens a new tab)`}
        title="Calls this number from the demo’s public network, in a new tab"
        className={buttonClass({ size: 'sm' })}
      >
        Test
      </a>
    )
  return (
    <Button
      size="sm"
      aria-label={label}
      title="Calls this number now"
      busy={test.isBusy}
      disabled={isSuspended}
      onClick={test.start}
    >
      Test
    </Button>
  )
}

const CALLING = 'Calling this number. Your phones ring in a moment.'

const progressWords: Record<TestCall['state'], string> = {
  waiting: CALLING,
  calling: CALLING,
  ringing: 'Ringing. Answer on any phone that rings.',
  answered: 'Answered. You hear a short message, then the call ends.',
  busy: '',
  no_answer: '',
  failed: '',
}

const resultWords: Record<TestCall['state'], string> = {
  waiting: '',
  calling: '',
  ringing: '',
  answered: 'The test call was answered.',
  busy: 'The test call was declined, or the number was busy.',
  no_answer: 'Nobody answered the test call.',
  failed: 'The test call failed.',
}

/** How the test call is going. */
export function TestResult({
  number,
  test: { call, error },
  className,
}: {
  number: RentedNumber
  test: Test
  className?: string
}) {
  if (error)
    return (
      <Notice tone="danger" className={className}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p>{explain(error, 'The test call could not be started.')}</p>
          {error instanceof ApiError && error.code === 'test_call_unavailable' && (
            <CallFromHere number={number} />
          )}
        </div>
      </Notice>
    )
  if (!call) return null
  if (call.is_running)
    return (
      <Notice tone="pending" className={className}>
        {progressWords[call.state]}
      </Notice>
    )
  return (
    <Notice tone={call.state === 'answered' ? 'success' : 'info'} className={className}>
      {resultWords[call.state]} The{' '}
      <Link to="/dashboard/cdr-report" className="font-medium underline underline-offset-4">
        CDR Report
      </Link>{' '}
      shows who was rung.
    </Notice>
  )
}

/** The phone of this browser places the call. It does not ring itself then. */
function CallFromHere({ number }: { number: RentedNumber }) {
  const openPhone = useOpenPhone()
  const flows = useFlowNames()
  const rings = describePlan(number.ring_plan, flows).map(({ when, what }) =>
    when ? `${when}: ${what}` : what,
  )
  return (
    <Button size="sm" onClick={() => openPhone({ number: number.number, rings })}>
      Call from this browser
    </Button>
  )
}
