/** A plain store, so that code outside components can show messages. */
type ToastTone = 'success' | 'error' | 'info'
export type ToastMessage = { id: number; tone: ToastTone; text: string }

/** Beyond this the oldest toast is removed. */
const MAX_SHOWN = 4

let shown: readonly ToastMessage[] = []
let lastId = 0
const listeners = new Set<() => void>()

function show(next: readonly ToastMessage[]): void {
  shown = next
  for (const listener of listeners) listener()
}

const report = (tone: ToastTone) => (text: string) => {
  lastId += 1
  const others = shown.filter((message) => message.text !== text || message.tone !== tone)
  show([...others, { id: lastId, tone, text }].slice(-MAX_SHOWN))
}

/** A success removes earlier errors. */
export function dismissFailures(): void {
  if (shown.some(({ tone }) => tone === 'error')) show(shown.filter(({ tone }) => tone !== 'error'))
}

const reportSuccess = (text: string) => {
  dismissFailures()
  report('success')(text)
}

export const toast = { success: reportSuccess, error: report('error'), info: report('info') }

export function dismissToast(id: number): void {
  show(shown.filter((message) => message.id !== id))
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const shownToasts = () => shown
