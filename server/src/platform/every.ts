/**
 * Repeats a step while the process lives: the next round begins its pause when the last one is done, and one that fails
 * is told and survived.
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
