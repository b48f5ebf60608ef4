import { ApiError, explain } from '../../app/api.ts'
import { toast } from '../../ui/toast.ts'

/** Hangs up a call. The live list then shows it as ending. */
export async function askForEnd(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask()
  } catch (error) {
    // The call has already ended.
    if (error instanceof ApiError && error.status === 404) return toast.info(error.message)
    toast.error(explain(error, 'The call could not be ended. Please try again.'))
  }
}
