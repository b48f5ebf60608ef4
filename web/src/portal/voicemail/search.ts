export type VoicemailSearch = {
  show?: 'new' | 'read' | undefined
  /** The message that a mail or a call record leads to. */
  message?: number | undefined
}

export function readSearch({ show, message }: Record<string, unknown>): VoicemailSearch {
  return {
    show: show === 'new' || show === 'read' ? show : undefined,
    message: typeof message === 'number' && Number.isInteger(message) ? message : undefined,
  }
}
