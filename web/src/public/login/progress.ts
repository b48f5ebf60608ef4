/** Drives the decoration beside the form. */
export type Progress = {
  /** One per field of the form. */
  filled: readonly boolean[]
  outcome: 'idle' | 'busy' | 'failed' | 'done'
}

export const outcomeOf = (isBusy: boolean, tone: 'danger' | 'success' | undefined): Progress['outcome'] => {
  if (isBusy) return 'busy'
  if (tone === 'danger') return 'failed'
  return tone === 'success' ? 'done' : 'idle'
}
