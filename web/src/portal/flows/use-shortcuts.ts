import type { Step } from '@trunkline/domain/flows'
import { useEffect } from 'react'
import { pasteStep, removeStep, stepOf } from './model/edit.ts'
import type { Editor } from './use-editor.ts'

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox], [type=radio]), textarea')

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"]') !== null

/** Undo, redo and save. In a text field, undo is the browser's. */
export function useShortcuts({ undo, redo }: Editor, save: () => void): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isInDialog(event.target)) return
      const key = event.key.toLowerCase()
      const action =
        key === 's'
          ? save
          : isText(event.target)
            ? null
            : key === 'z'
              ? event.shiftKey
                ? redo
                : undo
              : key === 'y'
                ? redo
                : null
      if (!action) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [undo, redo, save])
}

/** Can be pasted into another flow. */
let copied: Step | null = null

export function duplicate(editor: Editor, step: Step): void {
  const { id, flow } = pasteStep(editor.flow, step)
  editor.edit(() => flow)
  editor.select(id)
}

/** Keys on the canvas: copy, paste, duplicate and delete. */
export function onCanvasKey(editor: Editor, event: React.KeyboardEvent): void {
  const step = stepOf(editor.flow, editor.selected)
  const key = event.key.toLowerCase()
  if (event.ctrlKey || event.metaKey) {
    if (key === 'c' && step) copied = step
    else if (key === 'v' && copied) duplicate(editor, copied)
    else if (key === 'd' && step) duplicate(editor, step)
    else return
    event.preventDefault()
  } else if ((key === 'delete' || key === 'backspace') && step) {
    event.preventDefault()
    editor.edit((flow) => removeStep(flow, step.id))
  }
}
