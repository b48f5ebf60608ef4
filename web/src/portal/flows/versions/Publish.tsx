import { useQuery } from '@tanstack/react-query'
import type { FlowDetail } from '@trunkline/contract/flows'
import { FLOW_NOTE_MAX } from '@trunkline/contract/limits'
import { type Flow, type FlowProblem, stepName } from '@trunkline/domain/flows'
import { ApiError, api, explain } from '../../../app/api.ts'
import { useForm } from '../../../common/forms/use-form.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Input } from '../../../ui/Input.tsx'
import { toast } from '../../../ui/toast.ts'
import { stepOf } from '../model/edit.ts'
import { ProblemList } from '../panel/ProblemList.tsx'
import { versionQuery } from '../queries.ts'
import type { Editor } from '../use-editor.ts'
import type { Saving } from '../use-saving.tsx'
import { Differences } from './Differences.tsx'

type PublishProps = {
  saved: FlowDetail
  editor: Editor
  saving: Saving
  problems: readonly FlowProblem[]
  onSaved: (flow: FlowDetail) => void
  onClose: () => void
}

/** Shows what changes for callers, or why the flow cannot be published. */
export function Publish({ problems, ...rest }: PublishProps) {
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return <PublishForm {...rest} />
  const { editor, onClose } = rest
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Fix the problems first"
      description="A flow with problems cannot be published."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ProblemList
        editor={{
          flow: editor.flow,
          select: (id) => {
            editor.select(id)
            onClose()
          },
        }}
        problems={errors}
      />
    </Dialog>
  )
}

function PublishForm({ saved, editor, saving, onSaved, onClose }: Omit<PublishProps, 'problems'>) {
  const form = useForm({
    initial: { note: '' },
    submit: async ({ note }) => {
      const current = await saving.saved()
      // The reason is already shown.
      if (!current) return onClose()
      const { flow } = await api('POST /api/flows/:id/publish', {
        params: { id: saved.id },
        body: { version: current.version, note: note.trim() },
      })
      onSaved(flow)
      toast.success(`Version ${flow.published_version} is published. New calls use it.`)
      onClose()
    },
    failed: (error) => explainRefusal(error, editor.flow),
  })
  const isFirst = saved.published_version === null
  return (
    <FormDialog
      form={form}
      title={`Publish version ${(saved.published_version ?? 0) + 1}`}
      description="New calls use it at once. Calls in progress stay on their version."
      action="Publish"
      maxWidth={560}
      onClose={onClose}
    >
      <Field label="Note" optional hint="What has changed, for the list of versions.">
        <Input
          {...form.bind('note')}
          maxLength={FLOW_NOTE_MAX}
          autoComplete="off"
          placeholder={isFirst ? 'First version' : 'New opening hours'}
        />
      </Field>
      {isFirst ? (
        <p className="text-muted text-sm">
          This flow was never published. Choose it for a number: Numbers, Where it rings.
        </p>
      ) : (
        <SincePublished saved={saved} editor={editor} />
      )}
    </FormDialog>
  )
}

/** The server also knows routes and the balance. Its problems name their steps. */
function explainRefusal(error: unknown, flow: Flow): string {
  const sentence = explain(error, 'The flow could not be published. Please try again.')
  const fields = error instanceof ApiError ? error.fields : []
  return [
    sentence,
    ...fields.map(({ field, message }) => {
      // `flow.forward_1.busy`
      const step = stepOf(flow, field.split('.')[1])
      return step ? `${stepName(step)}: ${message}` : message
    }),
  ].join(' ')
}

function SincePublished({ saved, editor }: Pick<PublishProps, 'saved' | 'editor'>) {
  const query = useQuery(versionQuery(saved.id, saved.published_version ?? 0))
  return (
    <section aria-label="Changes">
      <h3 className="mb-2 font-medium text-sm">Changes since version {saved.published_version}</h3>
      <Loaded query={query} failed="The published version could not be loaded.">
        {({ flow }) => <Differences from={flow} to={editor.flow} />}
      </Loaded>
    </section>
  )
}
