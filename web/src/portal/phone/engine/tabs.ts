/** The open tabs of the portal in this browser. All of them ring, but only one makes a sound or shows a notification. */

const CHANNEL = 'trunkline-phone'
const TONE = 'trunkline-ring-tone'
const NOTIFICATION = 'trunkline-call-notification'
/** Time for a visible tab to respond. */
const RESPOND_WITHIN_MS = 200

type Message = { type: 'silenced'; call: string } | { type: 'who is visible' } | { type: 'visible' }

export type Tabs = ReturnType<typeof createTabs>

/** `onSilenced` is called when another tab silences a call. */
export function createTabs(onSilenced: (call: string) => void) {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : null
  let onVisible = () => {}
  const post = (message: Message) => channel?.postMessage(message)
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.type === 'silenced') onSilenced(data.call)
    else if (data.type === 'visible') onVisible()
    else if (!document.hidden) post({ type: 'visible' })
  })

  /** Runs `begin` when no other tab holds the lock, until `signal` aborts. A closed tab gives its lock to the next one. */
  async function alone(lock: string, signal: AbortSignal, begin: () => () => void): Promise<void> {
    const hold = () =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve()
        const end = begin()
        const over = () => {
          end()
          resolve()
        }
        signal.addEventListener('abort', over, { once: true })
      })
    // Pages without https have no locks.
    if (!('locks' in navigator)) return hold()
    await navigator.locks.request(lock, { signal }, hold).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  return {
    silence: (call: string): void => post({ type: 'silenced', call }),
    /** `begin` starts the tone and returns the function that stops it. */
    soundAlone: (signal: AbortSignal, begin: () => () => void): Promise<void> => alone(TONE, signal, begin),
    notifyAlone: (signal: AbortSignal, begin: () => () => void): Promise<void> =>
      alone(NOTIFICATION, signal, begin),

    /** Does the customer see the portal in this or another tab? */
    isSeen(): Promise<boolean> {
      if (!document.hidden) return Promise.resolve(true)
      return new Promise((resolve) => {
        onVisible = () => resolve(true)
        setTimeout(() => resolve(false), RESPOND_WITHIN_MS)
        post({ type: 'who is visible' })
      })
    },

    close: (): void => channel?.close(),
  }
}
