import { MutationCache, QueryClient } from '@tanstack/react-query'
import { dismissFailures } from '../ui/toast.ts'
import { ApiError } from './api.ts'
import { connection, onConnectionChange } from './connection.ts'

/** A refusal stays a refusal; only a server that was away or stumbled is worth asking again. */
const worthRetrying = (failures: number, error: unknown) =>
  failures < 2 && error instanceof ApiError && (error.unreachable || error.status >= 500)

export const queryClient = new QueryClient({
  // Whoever tries again and succeeds must not read of the failure any more.
  mutationCache: new MutationCache({ onSuccess: dismissFailures }),
  defaultOptions: {
    // 'always': the browser's own idea of being online says nothing about our server.
    queries: { retry: worthRetrying, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
})

// What could not be loaded while the server was away is loaded when it is back.
onConnectionChange(() => {
  if (connection() === 'connected') {
    void queryClient.refetchQueries({ predicate: (query) => query.state.status !== 'success' })
  }
})

/** What one person saw must not greet the next one; who runs the portal is nobody's secret. */
export function forgetPersonalData(): void {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'site' })
}
