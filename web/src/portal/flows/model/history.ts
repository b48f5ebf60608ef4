import type { Flow } from '@trunkline/domain/flows'

/** The flow while it is drawn, with what undo and redo return to. */
export type History = {
  readonly past: readonly Flow[]
  readonly present: Flow
  readonly future: readonly Flow[]
  /** Names the last edit, so that typing a word is one edit. */
  readonly tag: string | null
}

const MAX_UNDO = 100

export const startHistory = (present: Flow): History => ({ past: [], present, future: [], tag: null })

/** Edits in a row with the same tag are undone together. */
export function edited(history: History, present: Flow, tag: string | null = null): History {
  if (present === history.present) return history
  const isSameEdit = tag !== null && tag === history.tag
  const past = isSameEdit ? history.past : [...history.past, history.present].slice(-MAX_UNDO)
  return { past, present, future: [], tag }
}

export function undone({ past, present, future }: History): History | null {
  const last = past.at(-1)
  return last ? { past: past.slice(0, -1), present: last, future: [present, ...future], tag: null } : null
}

export function redone({ past, present, future: [next, ...future] }: History): History | null {
  return next ? { past: [...past, present], present: next, future, tag: null } : null
}
