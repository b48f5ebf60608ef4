interface Running {
  close(): Promise<void>
}

/** How long a stand-in may take to close before it is cut off; a launcher waits for us. */
const CLOSING_MS = 5_000

/**
 * The life of a stand-in as a process: start, tell the parent where it listens, end with the parent.
 * Ctrl-C reaches the whole process group, so a child of the launcher leaves it to the launcher to decide.
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
    // The parent may have died while we were starting; its 'disconnect' is then already past.
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
