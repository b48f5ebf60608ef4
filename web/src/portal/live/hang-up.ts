import { ApiError, api, explain } from '../../app/api.ts'
import { toast } from '../../ui/toast.ts'

/** Asks for the end of a call; the list shows it as ending and lets it go by itself. */
export async function hangUp(uniqueid: string): Promise<void> {
  try {
    await api('POST /api/live-calls/hangup', { body: { uniqueid } })
  } catch (error) {
    // It was faster than we: nothing is wrong.
    if (error instanceof ApiError && error.status === 404) return toast.info(error.message)
    toast.error(explain(error, 'The call could not be ended. Please try again.'))
  }
}
