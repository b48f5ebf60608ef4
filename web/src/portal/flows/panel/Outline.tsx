import { CircleAlert, CircleCheck, Plus } from 'lucide-react'
import { formatCount } from '../../../common/format/numbers.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { kindIcons } from '../icons.ts'
import { stepOf } from '../model/edit.ts'
import type { Problem } from '../model/problems.ts'
import type { Editor } from '../use-editor.ts'
import { describeStep, nameOf, type SoundNames } from '../words.ts'

type OutlineProps = { editor: Editor; names: SoundNames; problems: readonly Problem[] }

/** The whole flow as a list, for the keyboard and for an overview. */
export function Outline({ editor, names, problems }: OutlineProps) {
  const { flow } = editor
  return (
    <div className="flex flex-col gap-6 p-5">
      <Problems editor={editor} problems={problems} />
      <section aria-label="Steps" className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-3">
          <h3 className="font-semibold">{formatCount(flow.steps.length, 'step')}</h3>
          <Button size="sm" onClick={() => editor.ask({})}>
            <Plus aria-hidden />
            Add step
          </Button>
        </div>
        {flow.steps.length > 0 && (
          <Field label="Calls start with">
            <Select
              value={flow.start}
              onChange={({ target }) => editor.edit((now) => ({ ...now, start: target.value }))}
            >
              {!stepOf(flow, flow.start) && <option value={flow.start}>Choose a step</option>}
              {flow.steps.map((step) => (
                <option key={step.id} value={step.id}>
                  {nameOf(step)}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <ul className="-mx-2 flex flex-col">
          {flow.steps.map((step) => {
            const Icon = kindIcons[step.kind]
            const hasProblem = problems.some(({ stepId }) => stepId === step.id)
            return (
              <li key={step.id}>
                <button
                  type="button"
                  onClick={() => editor.select(step.id)}
                  className="flex w-full items-center gap-3 rounded-md px-2 py-2 text-left hover:bg-ink/6"
                >
                  <Icon aria-hidden className="size-4.5 shrink-0 text-muted" />
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-medium text-sm">{nameOf(step)}</span>
                    <span className="block truncate text-muted text-xs">{describeStep(step, names)}</span>
                  </span>
                  {hasProblem && (
                    <CircleAlert
                      aria-label="Has a problem"
                      role="img"
                      className="size-4 shrink-0 text-danger"
                    />
                  )}
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
      <h3 className="font-semibold">{formatCount(problems.length, 'problem')}</h3>
      <ProblemList editor={editor} problems={problems} />
    </section>
  )
}

/** Each problem selects its step. */
export const ProblemList = ({ editor, problems }: Omit<OutlineProps, 'names'>) => (
  <ul className="flex flex-col gap-1.5">
    {problems.map(({ stepId, text }) => {
      const step = stepOf(editor.flow, stepId)
      return (
        <li key={`${stepId} ${text}`}>
          <button
            type="button"
            onClick={() => editor.select(stepId)}
            className="flex w-full gap-2.5 rounded-md border border-danger/45 bg-danger-soft px-3 py-2 text-left text-sm hover:border-danger"
          >
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
            <span className="min-w-0">
              {step && <span className="font-medium">{nameOf(step)}: </span>}
              {text}
            </span>
          </button>
        </li>
      )
    })}
  </ul>
)
