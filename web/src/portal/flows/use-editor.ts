import type { Flow, StepKind } from '@trunkline/domain/flows'
import { useCallback, useState } from 'react'
import { blankStep } from './model/blank.ts'
import { addStep, type Exit, freeId, freePlace, STEP_WIDTH, stepOf } from './model/edit.ts'
import { edited, type History, redone, startHistory, undone } from './model/history.ts'

/** Where a new step goes: after an exit, at a place on the canvas, or beside the selected step. */
export type NewStep = { from?: Exit; place?: { x: number; y: number } }

export type Editor = {
  flow: Flow
  selected: string | null
  select: (id: string | null) => void
  /** Edits in a row with the same tag are undone together. */
  edit: (change: (flow: Flow) => Flow, tag?: string) => void
  undo: (() => void) | null
  redo: (() => void) | null
  /** Replaces the flow and what undo returns to. */
  load: (flow: Flow) => void
  /** The choice of a new step is open. */
  adding: NewStep | null
  ask: (wish: NewStep | null) => void
  add: (kind: StepKind) => void
}

/** The flow while it is drawn. */
export function useEditor(saved: Flow): Editor {
  const [history, setHistory] = useState(() => startHistory(saved))
  const [wish, setWish] = useState<string | null>(null)
  const [adding, ask] = useState<NewStep | null>(null)
  const flow = history.present
  const selected = stepOf(flow, wish) ? wish : null

  const edit = useCallback(
    (change: (flow: Flow) => Flow, tag?: string) =>
      setHistory((now) => edited(now, change(now.present), tag ?? null)),
    [],
  )

  function add(kind: StepKind) {
    const id = freeId(flow, kind)
    const place = freePlace(flow, placeOf(flow, adding ?? {}, selected))
    edit((now) => addStep(now, blankStep(kind, { id, ...place }), adding?.from))
    setWish(id)
    ask(null)
  }

  const to = (next: (history: History) => History | null) =>
    next(history) && (() => setHistory((now) => next(now) ?? now))

  return {
    flow,
    selected,
    select: setWish,
    edit,
    undo: to(undone),
    redo: to(redone),
    load: useCallback((next: Flow) => setHistory(startHistory(next)), []),
    adding,
    ask,
    add,
  }
}

const COLUMN_GAP = 72

function placeOf(flow: Flow, { from, place }: NewStep, selected: string | null): { x: number; y: number } {
  if (place) return place
  const before = stepOf(flow, from?.stepId ?? selected) ?? flow.steps.at(-1)
  return before ? { x: before.x + STEP_WIDTH + COLUMN_GAP, y: before.y } : { x: 0, y: 0 }
}
