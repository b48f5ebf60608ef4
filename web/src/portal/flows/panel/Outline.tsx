import { type FlowProblem, type SoundNames, stepName } from '@trunkline/domain/flows'
import { CircleCheck } from 'lucide-react'
import { formatCount } from '../../../common/format/numbers.ts'
import { AddButton } from '../../../ui/AddButton.tsx'

import { Field } from '../../../ui/Field.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { kindIcons } from '../icons.ts'
import { stepOf } from '../model/edit.ts'
import type { Editor } from '../use-editor.ts'
import { describeStep } from '../words.ts'
import { ProblemList, ProblemMark } from './ProblemList.tsx'

type OutlineProps = { editor: Editor; names: SoundNames; problems: readonly FlowProblem[] }

/** The whole flow as a list, for the keyboard and for an overview. */
export function Outline({ editor, names, problems }: OutlineProps) {
  const { flow } = editor
  return (
    <div className="flex flex-col gap-6 px-5 pt-2 pb-5">
      <Problems editor={editor} problems={problems} />
      <section aria-label="Steps" className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-3">
          <h4 className="font-semibold text-sm">{formatCount(flow.steps.length, 'step')}</h4>
          <AddButton size="sm" onClick={() => editor.ask({})}>
            Add step
          </AddButton>
        </div>
        {flow.steps.length > 0 && (
          <Field label="Calls start with">
            <Select
              value={flow.start}
              onChange={({ target }) => editor.edit((now) => ({ ...now, start: target.value }))}
            >
              {!stepOf(flow, flow.start) && <option value={flow.start}>Choose a step</option>}
              <Options of={flow.steps.map((step) => [step.id, stepName(step)])} />
            </Select>
          </Field>
        )}
        <ul className="-mx-2 flex flex-col">
          {flow.steps.map((step) => {
            const Icon = kindIcons[step.kind]
            return (
              <li key={step.id}>
                <button
                  type="button"
                  onClick={() => editor.select(step.id)}
                  className="flex w-full items-center gap-3 rounded-md px-2 py-2 text-left hover:bg-ink/6"
                >
                  <Icon aria-hidden className="size-4.5 shrink-0 text-muted" />
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-medium text-sm">{stepName(step)}</span>
                    <span className="block truncate text-muted text-xs">{describeStep(step, names)}</span>
                  </span>
                  <ProblemMark problems={problems} stepId={step.id} />
                </button>
              </li>
            )
          })}
        </ul>
      </section>
    </div>
  )
}

function Problems({ editor, problems }: Omit<OutlineProps, 'names'>) {
  if (problems.length === 0)
    return (
      <p className="flex items-center gap-2 text-muted text-sm">
        <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
        No problems. The flow can be published.
      </p>
    )
  return (
    <section aria-label="Problems" className="flex flex-col gap-2">
      <h4 className="font-semibold text-sm">Problems</h4>
      <ProblemList editor={editor} problems={problems} />
    </section>
  )
}
