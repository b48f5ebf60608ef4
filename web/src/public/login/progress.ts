/** How far a visitor has come on the line: what they typed, and what became of it. */
export type Progress = {
  /** One per field of the form, true once it holds something. */
  filled: readonly boolean[]
  outcome: 'idle' | 'busy' | 'failed' | 'done'
}

export const outcomeOf = (isBusy: boolean, tone: 'danger' | 'success' | undefined): Progress['outcome'] => {
  if (isBusy) return 'busy'
  if (tone === 'danger') return 'failed'
  return tone === 'success' ? 'done' : 'idle'
}
