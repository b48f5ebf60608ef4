import { useBlocker } from '@tanstack/react-router'
import type { FlowDetail } from '@trunkline/contract/flows'
import { useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { session } from '../../app/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import type { FlowBody } from './model/file.ts'
import { isSameFlow } from './model/same.ts'
import type { Editor } from './use-editor.ts'

export type Saving = {
  /** The draft differs from what is saved. */
  isChanged: boolean
  isBusy: boolean
  save: () => void
  /** Saves if needed, and answers with the saved flow, or null if it could not be saved. */
  saved: () => Promise<FlowDetail | null>
  /** Someone else has saved the flow. */
  conflict: { keep: () => void; take: () => void; close: () => void } | null
}

/** `saved` is what the drawing is based on. `onSaved` replaces it. */
export function useSaving(saved: FlowDetail, editor: Editor, onSaved: (flow: FlowDetail) => void): Saving {
  const [isBusy, setBusy] = useState(false)
  const [theirs, setTheirs] = useState<FlowDetail | null>(null)
  const { flow } = editor
  const isChanged = !isSameFlow(flow, saved.draft)

  async function send(version: number): Promise<FlowDetail | null> {
    setBusy(true)
    try {
      const { flow: answer } = await api('PATCH /api/flows/:id', {
        params: { id: saved.id },
        body: { flow: flow as FlowBody, version },
      })
      onSaved(answer)
      return answer
    } catch (error) {
      if (error instanceof ApiError && error.code === 'changed_meanwhile') await showTheirs()
      else toast.error(faultOf(error))
      return null
    } finally {
      setBusy(false)
    }
  }

  async function showTheirs() {
    const { flow } = await api('GET /api/flows/:id', { params: { id: saved.id } })
    setTheirs(flow)
  }

  async function save(version = saved.version) {
    if (isBusy) return
    const answer = await send(version)
    if (answer) toast.success('The draft was saved.')
  }

  return {
    isChanged,
    isBusy,
    save: () => void save(),
    saved: async () => (isChanged ? send(saved.version) : saved),
    conflict: theirs && {
      keep: () => {
        setTheirs(null)
        void save(theirs.version)
      },
      take: () => {
        setTheirs(null)
        onSaved(theirs)
        editor.load(theirs.draft)
      },
      close: () => setTheirs(null),
    },
  }
}

function faultOf(error: unknown): string {
  const field = error instanceof ApiError ? error.fields[0] : undefined
  return field
    ? `The draft could not be saved. ${field.field}: ${field.message}`
    : explain(error, 'The draft could not be saved. Please try again.')
}

/** Asks before unsaved changes are lost, or replace those of somebody else. */
export function LeaveGuard({ saving: { isChanged, conflict } }: { saving: Saving }) {
  const { status, proceed, reset } = useBlocker({
    // After the end of the session, nothing can be saved.
    shouldBlockFn: () => isChanged && session().status === 'authenticated',
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  return (
    <>
      {status === 'blocked' && (
        <ConfirmDialog
          title="Leave without saving?"
          description="Your changes to this flow are lost."
          keep="Keep editing"
          action="Leave"
          onConfirm={proceed}
          onClose={reset}
        />
      )}
      {conflict && (
        <Dialog
          open
          onOpenChange={conflict.close}
          title="Someone else just changed this flow"
          description="It was saved in another window after you opened it. Your changes are still here."
          maxWidth={480}
          footer={
            <>
              <Button onClick={conflict.take}>Load the other version</Button>
              <Button variant="danger" onClick={conflict.keep}>
                Replace it with mine
              </Button>
            </>
          }
        />
      )}
    </>
  )
}
