import { queryClient } from '../../app/query-client.ts'
import { refresh } from '../../app/session.ts'
import { useAfterCalls } from '../live/use-after-calls.ts'

const LEAST_PAUSE_MS = 10_000

/** When a call has ended, balance, charts and counts have changed. */
export function useFiguresAfterCalls(): void {
  useAfterCalls(LEAST_PAUSE_MS, () => {
    void queryClient.invalidateQueries({ queryKey: ['dashboard'] })
    refresh().catch(() => {})
  })
}
