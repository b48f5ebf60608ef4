import { Link } from '@tanstack/react-router'
import type { FlowDetail } from '@trunkline/contract/flows'
import { FLOW_NAME_MAX } from '@trunkline/contract/limits'
import { exportFlow, type FlowProblem } from '@trunkline/domain/flows'
import { ArrowLeft, Download, Ellipsis, History, Pencil, Play, Redo2, Undo2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../app/api.ts'
import { saveFile } from '../../common/save-file.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Popover } from '../../ui/Popover.tsx'
import { toast } from '../../ui/toast.ts'
import { FlowFileInput } from './FlowFileInput.tsx'
import { explainImport } from './ImportFlow.tsx'
import { type FlowBody, fileNameOf, readFlowFile } from './model/file.ts'
import { WaitingLink } from './queues/WaitingLink.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import type { Editor } from './use-editor.ts'
import type { Saving } from './use-saving.tsx'
import { Publish } from './versions/Publish.tsx'
import { Versions } from './versions/Versions.tsx'
import { stateOf } from './words.ts'

type ToolbarProps = {
  saved: FlowDetail
  editor: Editor
  saving: Saving
  onSaved: (flow: FlowDetail) => void
  problems: readonly FlowProblem[]
  /** False on a phone. */
  canEdit: boolean
  isTrying: boolean
  onTry: () => void
}

/** The name of the flow, and everything that concerns the whole of it. */
export function Toolbar({
  saved,
  editor,
  saving,
  onSaved,
  problems,
  canEdit,
  isTrying,
  onTry,
}: ToolbarProps) {
  const [open, setOpen] = useState<'rename' | 'publish' | 'versions' | null>(null)
  const close = () => setOpen(null)
  const { tone, label } = stateOf(saved)
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 items-center gap-1.5">
        <Link
          to="/dashboard/flows"
          aria-label="Back to flows"
          title="Back to flows"
          className={cx(buttonClass({ variant: 'ghost', size: 'sm' }), 'w-8 px-0')}
        >
          <ArrowLeft aria-hidden />
        </Link>
        <h2 className="min-w-0 break-words font-semibold text-xl tracking-tight">{saved.name}</h2>
        <Button
          size="sm"
          variant="ghost"
          aria-label="Rename flow"
          title="Rename"
          className="w-8 px-0"
          onClick={() => setOpen('rename')}
        >
          <Pencil aria-hidden />
        </Button>
      </div>
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        {saving.isChanged && <Badge tone="pending">Unsaved changes</Badge>}
        <WaitingLink flow={saved} />
      </span>
      <div className="flex flex-wrap items-center gap-2 md:ml-auto">
        {canEdit && (
          <>
            <StepBack label="Undo" keys="Ctrl+Z" icon={<Undo2 aria-hidden />} onClick={editor.undo} />
            <StepBack label="Redo" keys="Ctrl+Shift+Z" icon={<Redo2 aria-hidden />} onClick={editor.redo} />
          </>
        )}
        <Button size="sm" disabled={isTrying || editor.flow.steps.length === 0} onClick={onTry}>
          <Play aria-hidden />
          Try it
        </Button>
        <Button size="sm" onClick={() => setOpen('versions')}>
          <History aria-hidden />
          Versions
        </Button>
        <FileMenu saved={saved} editor={editor} onSaved={onSaved} canEdit={canEdit} />
        {(canEdit || saving.isChanged) && (
          <Button size="sm" busy={saving.isBusy} disabled={!saving.isChanged} onClick={saving.save}>
            Save
          </Button>
        )}
        <Button size="sm" variant="primary" onClick={() => setOpen('publish')}>
          Publish
        </Button>
      </div>
      {open === 'rename' && <Rename saved={saved} onSaved={onSaved} onClose={close} />}
      {open === 'publish' && (
        <Publish
          saved={saved}
          editor={editor}
          saving={saving}
          problems={problems}
          onSaved={onSaved}
          onClose={close}
        />
      )}
      {open === 'versions' && <Versions saved={saved} editor={editor} onClose={close} />}
    </div>
  )
}

type StepBackProps = { label: string; keys: string; icon: React.ReactNode; onClick: (() => void) | null }

const StepBack = ({ label, keys, icon, onClick }: StepBackProps) => (
  <Button
    size="sm"
    aria-label={label}
    title={`${label} (${keys})`}
    className="w-8 px-0"
    disabled={onClick === null}
    onClick={() => onClick?.()}
  >
    {icon}
  </Button>
)

type FileMenuProps = Pick<ToolbarProps, 'saved' | 'editor' | 'onSaved' | 'canEdit'>

/** Export of what is drawn, and import in its place. */
function FileMenu({ saved: { id, name, version }, editor, onSaved, canEdit }: FileMenuProps) {
  const input = useRef<HTMLInputElement>(null)
  const save = () =>
    saveFile(
      new Blob([exportFlow({ name, flow: editor.flow })], { type: 'application/json' }),
      fileNameOf(name),
    )
  async function load(file: File | undefined) {
    if (!file) return
    const read = readFlowFile(await file.text(), file.name)
    if (typeof read === 'string') return toast.error(read)
    try {
      // The server checks the steps, so they are saved before they are drawn.
      const body = { flow: read.flow as FlowBody, version }
      const { flow } = await api('PATCH /api/flows/:id', { params: { id }, body })
      onSaved(flow)
      editor.edit(() => flow.draft)
      toast.success(`“${file.name}” replaced the draft. Undo brings the old one back.`)
    } catch (error) {
      toast.error(explainImport(error))
    }
  }
  return (
    <>
      <Popover
        label="Export and import"
        trigger={(props) => (
          <Button
            {...props}
            size="sm"
            aria-label="Export and import"
            title="Export and import"
            className="w-8 px-0"
          >
            <Ellipsis aria-hidden />
          </Button>
        )}
      >
        {(close) => (
          <div className="flex flex-col items-start gap-1">
            <Button
              variant="ghost"
              size="sm"
              onClick={() => {
                close()
                save()
              }}
            >
              <Download aria-hidden />
              Export as JSON
            </Button>
            {canEdit && (
              <Button
                variant="ghost"
                size="sm"
                onClick={() => {
                  close()
                  input.current?.click()
                }}
              >
                <Upload aria-hidden />
                Import into this flow
              </Button>
            )}
          </div>
        )}
      </Popover>
      <FlowFileInput ref={input} onFile={(file) => void load(file)} />
    </>
  )
}

type RenameProps = Pick<ToolbarProps, 'saved' | 'onSaved'> & { onClose: () => void }

function Rename({ saved: { id, name, version }, onSaved, onClose }: RenameProps) {
  async function rename(wanted: string) {
    const body = { name: wanted, version }
    const { flow } = await api('PATCH /api/flows/:id', { params: { id }, body })
    onSaved(flow)
  }
  return <RenameDialog kind="flow" name={name} maxLength={FLOW_NAME_MAX} rename={rename} onClose={onClose} />
}
