import { MutationCache, QueryClient } from '@tanstack/react-query'
import { dismissFailures } from '../ui/toast.ts'
import { ApiError } from './api.ts'
import { connection, onConnectionChange } from './connection.ts'

/** Retries only when the server is unreachable or failed; a refusal stays the same. */
const worthRetrying = (failures: number, error: unknown) =>
  failures < 2 && error instanceof ApiError && (error.unreachable || error.status >= 500)

export const queryClient = new QueryClient({
  // A success dismisses the toast of the earlier failure.
  mutationCache: new MutationCache({ onSuccess: dismissFailures }),
  defaultOptions: {
    // 'always': the online state of the browser says nothing about our server.
    queries: { retry: worthRetrying, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
})

// Reloads failed queries when the server is reachable again.
onConnectionChange(() => {
  if (connection() === 'connected') {
    void queryClient.refetchQueries({ predicate: (query) => query.state.status !== 'success' })
  }
})

/** Clears everything except the public site settings and loaded code, so that the next user sees nothing of the last one. */
export function forgetPersonalData(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [area] }) => area !== 'site' && area !== 'module' })
}
