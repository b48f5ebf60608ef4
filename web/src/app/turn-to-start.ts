const waiting: (() => void)[] = []
let isStarting = false

/**
 * Starting a request takes a slow phone 30 ms, and a screen starts ten. One per task leaves room for input and paint in between.
 * The first starts at once. In a hidden tab all do, because the browser delays timers there by up to a minute.
 */
export function turnToStart(): Promise<void> | undefined {
  if (globalThis.document?.hidden) return undefined
  if (isStarting) return new Promise((resolve) => waiting.push(resolve))
  isStarting = true
  setTimeout(startNext)
  return undefined
}

function startNext(): void {
  const start = waiting.shift()
  if (start) setTimeout(startNext)
  else isStarting = false
  start?.()
}
