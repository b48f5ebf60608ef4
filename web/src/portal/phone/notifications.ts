/** Desktop notifications of incoming calls. */

export type NotificationState = 'unsupported' | 'default' | 'granted' | 'denied'

export const notificationState = (): NotificationState =>
  'Notification' in globalThis && isSecureContext ? Notification.permission : 'unsupported'

export const canNotify = (): boolean => notificationState() === 'granted'

/** Call it after a click only; otherwise browsers refuse. */
export async function askToNotify(): Promise<NotificationState> {
  await Notification.requestPermission()
  return notificationState()
}

/** Returns the function that closes the notification. */
export function showCall(caller: string, id: string): () => void {
  try {
    const shown = new Notification('Incoming call', { body: caller, tag: id, requireInteraction: true })
    shown.onclick = () => {
      window.focus()
      shown.close()
    }
    return () => shown.close()
  } catch {
    // Chromium on Android shows notifications of service workers only.
    return () => {}
  }
}
