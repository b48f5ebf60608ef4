import { useMutation } from '@tanstack/react-query'
import { switchLabel } from '@trunkline/contract/switch-names'
import { api, explain } from '../../app/api.ts'
import { useSite } from '../../app/site.ts'
import { formatMilliseconds } from '../../common/format/durations.ts'
import { Notice } from '../../ui/Notice.tsx'
import { isThere, sipAnswer } from './trunk-words.ts'

/** Longer than the five seconds after which a switch gives up. */
const TEST_TIMEOUT_MS = 15_000

export const useTrunkTest = (id: number) =>
  useMutation({
    mutationFn: async () => {
      const request = { params: { id }, timeoutMs: TEST_TIMEOUT_MS }
      return (await api('POST /api/trunks/:id/test', request)).test
    },
  })

/** The reply to an OPTIONS request, or why there is none. */
export function TestResult({ test }: { test: ReturnType<typeof useTrunkTest> }) {
  const isDemo = useSite()?.demo != null
  if (test.isPending || test.isIdle)
    return test.isPending ? (
      <p role="status" className="mt-4 text-muted text-sm">
        Testing the carrier…
      </p>
    ) : null
  if (test.isError)
    return (
      <Notice tone="pending" className="mt-4">
        <p>{explain(test.error, 'The carrier could not be tested.')}</p>
        {isDemo && (
          <p className="mt-1 text-muted">The demo switch simulates calls and does not contact carriers.</p>
        )}
      </Notice>
    )
  const { code, ms, switch: switchId } = test.data
  return (
    <Notice tone={isThere(code) ? 'success' : 'danger'} className="mt-4">
      <p className="figures">
        <span className="font-medium">{sipAnswer(code)}</span> to OPTIONS from {switchLabel(switchId)}, after{' '}
        {formatMilliseconds(ms)}
      </p>
    </Notice>
  )
}
