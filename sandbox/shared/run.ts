interface Running {
  close(): Promise<void>
}

/** Timeout for a clean shutdown; the launcher waits for it. */
const CLOSING_MS = 5_000

/**
 * Runs a sandbox service as a process: starts it, reports its ports to the parent and ends with the parent.
 * A child of the launcher ignores SIGINT, because Ctrl-C reaches the whole process group.
 */
export async function runProcess<T extends Running>(start: () => Promise<T>): Promise<void> {
  try {
    const running = await start()
    const { close: _close, ...ready } = running
    let isClosing = false
    const stop = () => {
      if (isClosing) return
      isClosing = true
      setTimeout(() => process.exit(1), CLOSING_MS).unref()
      running.close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    }
    process.on('disconnect', stop)
    process.on('SIGTERM', stop)
    process.on('SIGINT', () => {
      if (!process.send) stop()
    })
    if (process.send) process.send({ ready })
    else console.log(JSON.stringify({ ready }))
    // The parent may have exited during startup, before this listener was added.
    if (process.send && !process.connected) stop()
  } catch (error) {
    console.error(`sandbox: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

export function portFrom(variable: string): number {
  const text = process.env[variable] ?? '0'
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`${variable} is not a port: ${text}`)
  return port
}

export function settingFrom(variable: string): string {
  const value = process.env[variable]
  if (!value) throw new Error(`${variable} is not set`)
  return value
}
