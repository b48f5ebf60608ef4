import type { Role } from './start.ts'
import { startServer } from './start.ts'

/** Runs the given roles as a process of their own until it is told to stop. */
export async function runProcess(wanted: readonly Role[]): Promise<void> {
  // Whoever started it has died, and the database has died with them.
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
