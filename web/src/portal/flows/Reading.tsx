import {
  exitName,
  exitsOf,
  type FlowProblem,
  kindName,
  type SoundNames,
  stepName,
} from '@trunkline/domain/flows'
import { formatCount } from '../../common/format/numbers.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { kindIcons } from './icons.ts'
import { inOrder } from './model/arrange.ts'
import { stepOf } from './model/edit.ts'
import { ProblemList, ProblemMark } from './panel/ProblemList.tsx'
import type { Simulation } from './simulator/use-simulation.ts'
import type { Editor } from './use-editor.ts'
import { describeStep } from './words.ts'

type ReadingProps = {
  editor: Editor
  names: SoundNames
  problems: readonly FlowProblem[]
  simulation: Simulation | null
}

const anchorOf = (id: string): string => `step-${id}`

/** The flow as a list, for phones: every exit is a link to its step. */
export function Reading({ editor, names, problems, simulation }: ReadingProps) {
  const { flow } = editor
  const errors = problems.filter(({ severity }) => severity === 'error')
  const warnings = problems.filter((problem) => !errors.includes(problem))
  const goTo = (id: string | null) => {
    if (id) document.getElementById(anchorOf(id))?.scrollIntoView({ block: 'start' })
  }
  if (flow.steps.length === 0)
    return (
      <Card>
        <EmptyState title="No steps yet" text="Open this flow on a larger screen to draw it." />
      </Card>
    )
  return (
    <>
      <p className="text-muted text-sm">
        You can read, try and publish the flow here. Open it on a larger screen to change it.
      </p>
      {errors.length > 0 && <ProblemList editor={{ flow, select: goTo }} problems={errors} />}
      {warnings.length > 0 && (
        <details className="text-sm">
          <summary className="w-fit py-1 font-medium">{formatCount(warnings.length, 'warning')}</summary>
          <div className="mt-2">
            <ProblemList editor={{ flow, select: goTo }} problems={warnings} />
          </div>
        </details>
      )}
      <ol aria-label="Steps" className="flex flex-col gap-3">
        {inOrder(flow).map((step, at) => {
          const Icon = kindIcons[step.kind]
          const visit = simulation?.isRunning ? simulation.visitOf(step.id) : null
          return (
            <li
              key={step.id}
              id={anchorOf(step.id)}
              aria-label={stepName(step)}
              className={cx(
                'scroll-mt-20 rounded-xl border bg-surface p-4',
                visit === 'now' && 'border-signal-edge ring-2 ring-signal/60',
                visit === 'past' && 'border-signal-edge',
              )}
            >
              <div className="flex items-start gap-3">
                <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-signal-soft text-signal-ink">
                  <Icon aria-hidden className="size-4.5" />
                </span>
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <span className="figures text-muted text-sm">{at + 1}.</span>
                    <span className="min-w-0 break-words font-semibold">{stepName(step)}</span>
                    {flow.start === step.id && <Badge tone="signal">Calls start here</Badge>}
                    <ProblemMark problems={problems} stepId={step.id} />
                  </p>
                  {step.name.trim() !== '' && <p className="text-muted text-sm">{kindName(step.kind)}</p>}
                  <p className="mt-1 break-words text-sm">{describeStep(step, names)}</p>
                </div>
              </div>
              {exitsOf(step).length > 0 && (
                <dl className="mt-3 grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 border-t pt-2 text-sm">
                  {exitsOf(step).map((exit) => {
                    const target = stepOf(flow, step.exits[exit])
                    return (
                      <div key={exit} className="col-span-2 grid min-h-8 grid-cols-subgrid items-center">
                        <dt className="text-muted">{exitName(step.kind, exit)}</dt>
                        <dd className="min-w-0">
                          {target ? (
                            <button
                              type="button"
                              className="min-h-8 max-w-full truncate text-left font-medium underline underline-offset-4"
                              onClick={() => goTo(target.id)}
                            >
                              {stepName(target)}
                            </button>
                          ) : (
                            <span className="text-muted">Not connected (hangs up)</span>
                          )}
                        </dd>
                      </div>
                    )
                  })}
                </dl>
              )}
            </li>
          )
        })}
      </ol>
    </>
  )
}
