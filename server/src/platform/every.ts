/**
 * Repeats a step with a pause after each run. Failures are reported and do not stop the loop.
 */
export function every(
  ms: number,
  step: () => void | Promise<void>,
  onError: (error: unknown) => void,
): { stop(): void } {
  let isStopped = false
  let timer: NodeJS.Timeout
  const wait = () => {
    if (!isStopped) timer = setTimeout(round, ms).unref()
  }
  async function round(): Promise<void> {
    try {
      await step()
    } catch (error) {
      onError(error)
    }
    wait()
  }
  wait()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
