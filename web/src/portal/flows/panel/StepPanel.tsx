import { FLOW_NAME_MAX } from '@trunkline/contract/limits'
import { exitName, exitsOf, type FlowProblem, kindName, type Step, stepName } from '@trunkline/domain/flows'
import { Copy, Flag, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { focusPlace } from '../../../ui/focus-heading.ts'
import { Input } from '../../../ui/Input.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { kindIcons } from '../icons.ts'
import { changeStep, connect, removeStep, stepOf } from '../model/edit.ts'
import type { Editor } from '../use-editor.ts'
import { duplicate } from '../use-shortcuts.ts'
import { kindWords } from '../words.ts'
import { StepProblems } from './ProblemList.tsx'
import { StepFields } from './StepFields.tsx'

type StepPanelProps = { editor: Editor; problems: readonly FlowProblem[]; secret: string }

/** Everything about the selected step. */
export function StepPanel({ editor, ...rest }: StepPanelProps) {
  const step = stepOf(editor.flow, editor.selected)
  // The fields of another step keep no half-typed values.
  return step ? <Panel key={step.id} step={step} editor={editor} {...rest} /> : null
}

function Panel({ step, editor, problems, secret }: StepPanelProps & { step: Step }) {
  const Icon = kindIcons[step.kind]
  const own = problems.filter(({ stepId }) => stepId === step.id)
  const heading = useRef<HTMLHeadingElement>(null)
  const change = (part: object, tag?: string) =>
    editor.edit((flow) => changeStep(flow, step.id, part), tag && `${step.id}.${tag}`)

  useEffect(() => {
    // A step that was selected without the canvas was chosen by keyboard or in a list, which is gone now.
    if (document.activeElement === document.body && heading.current) focusPlace(heading.current)
  }, [])

  return (
    <div className="flex flex-col gap-5 p-5">
      <div>
        <div className="flex items-center gap-3 pr-8">
          <span className="grid size-9 shrink-0 place-items-center rounded-md bg-sunken text-muted">
            <Icon aria-hidden className="size-4.5" />
          </span>
          <div className="min-w-0 flex-1">
            <h3 ref={heading} className="truncate font-semibold">
              {stepName(step)}
            </h3>
            <p className="text-muted text-sm">{kindWords[step.kind].about}</p>
          </div>
        </div>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button size="sm" className="px-2.5" onClick={() => duplicate(editor, step)}>
            <Copy aria-hidden />
            Duplicate
          </Button>
          <Button
            size="sm"
            className="px-2.5"
            onClick={() => editor.edit((flow) => removeStep(flow, step.id))}
          >
            <Trash2 aria-hidden />
            Delete
          </Button>
          {editor.flow.start === step.id ? (
            <Badge tone="signal">Calls start here</Badge>
          ) : (
            <Button
              size="sm"
              className="px-2.5"
              title="Calls start with this step"
              onClick={() => editor.edit((flow) => ({ ...flow, start: step.id }))}
            >
              <Flag aria-hidden />
              Start here
            </Button>
          )}
        </div>
      </div>
      <StepProblems problems={own} />
      <Field label="Name" optional>
        <Input
          value={step.name}
          maxLength={FLOW_NAME_MAX}
          autoComplete="off"
          placeholder={kindName(step.kind)}
          onChange={({ target }) => change({ name: target.value }, 'name')}
        />
      </Field>
      <StepFields step={step} secret={secret} onEdit={change} />
      {exitsOf(step).length > 0 && <Exits step={step} editor={editor} />}
    </div>
  )
}

const NEW = '+'

/** Where each exit leads. */
const Exits = ({ step, editor }: { step: Step; editor: Editor }) => (
  <section aria-label="Next steps" className="flex flex-col gap-3 border-t pt-5">
    <h4 className="font-semibold text-sm">What happens next</h4>
    {exitsOf(step).map((exit) => (
      <div key={exit} className="grid grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-3">
        <label htmlFor={`${step.id}-${exit}`} className="text-sm">
          {exitName(step.kind, exit)}
        </label>
        <Select
          id={`${step.id}-${exit}`}
          value={step.exits[exit] ?? ''}
          onChange={({ target }) => {
            const from = { stepId: step.id, exit }
            if (target.value === NEW) editor.ask({ from })
            else editor.edit((flow) => connect(flow, from, target.value || null))
          }}
        >
          <option value="">Not connected (hangs up)</option>
          <Options
            of={editor.flow.steps.map((each) => [
              each.id,
              each.id === step.id ? `${stepName(each)} (this step)` : stepName(each),
            ])}
          />
          <option value={NEW}>New step…</option>
        </Select>
      </div>
    ))}
  </section>
)
