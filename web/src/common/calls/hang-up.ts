import { ApiError, explain } from '../../app/api.ts'
import { toast } from '../../ui/toast.ts'

/** Asks for the end of a call; the list shows it as ending and lets it go by itself. */
export async function askForEnd(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask()
  } catch (error) {
    // It was faster than we: nothing is wrong.
    if (error instanceof ApiError && error.status === 404) return toast.info(error.message)
    toast.error(explain(error, 'The call could not be ended. Please try again.'))
  }
}
