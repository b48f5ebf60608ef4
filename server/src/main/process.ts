import type { Role } from './start.ts'
import { startServer } from './start.ts'

/** Runs the given roles in this process until a stop signal. */
export async function runProcess(wanted: readonly Role[]): Promise<void> {
  // The launcher is gone, and its database with it.
  process.once('disconnect', () => process.exit(1))
  try {
    const server = await startServer(process.env, wanted)
    const stop = async () => {
      await server.close()
      process.exit(0)
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
    process.send?.({ ready: true })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  }
}
