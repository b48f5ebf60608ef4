import { useMutation } from '@tanstack/react-query'
import { api, explain } from '../../app/api.ts'
import { useSite } from '../../app/site.ts'
import { Notice } from '../../ui/Notice.tsx'
import { isThere, sipAnswer } from './trunk-words.ts'

/** A switch gives a carrier up after five seconds; until then we wait with it. */
const TEST_TIMEOUT_MS = 15_000

export const useTrunkTest = (id: number) =>
  useMutation({
    mutationFn: async () => {
      const request = { params: { id }, timeoutMs: TEST_TIMEOUT_MS }
      return (await api('POST /api/trunks/:id/test', request)).test
    },
  })

/** What the carrier said to an OPTIONS just now, or why it could not be asked. */
export function TestResult({ test }: { test: ReturnType<typeof useTrunkTest> }) {
  const isDemo = useSite()?.demo != null
  if (test.isPending || test.isIdle)
    return test.isPending ? (
      <p role="status" className="mt-4 text-muted text-sm">
        Asking the carrier…
      </p>
    ) : null
  if (test.isError)
    return (
      <Notice tone="pending" className="mt-4">
        <p>{explain(test.error, 'The carrier could not be asked.')}</p>
        {isDemo && (
          <p className="mt-1 text-muted">
            This portal runs as a demo: its switch makes calls up and asks no carrier.
          </p>
        )}
      </Notice>
    )
  const { code, ms, switch: switchName } = test.data
  return (
    <Notice tone={isThere(code) ? 'success' : 'danger'} className="mt-4">
      <p className="figures">
        <span className="font-medium">{sipAnswer(code)}</span> to OPTIONS from {switchName}, after {ms} ms
      </p>
    </Notice>
  )
}
