/** The first SIGINT or SIGTERM stops everything in order; the second one exits at once. */
export function stopOnSignal(stopAll: () => Promise<void>): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(130)
    isStopping = true
    process.stderr.write('\nStopping ...\n')
    try {
      await stopAll()
      process.exit(0)
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
      process.exit(1)
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // With a terminal, SIGHUP means that it was closed. Without one it comes from log rotation, which the server handles.
  process.on('SIGHUP', () => process.stdin.isTTY && stop())
}
