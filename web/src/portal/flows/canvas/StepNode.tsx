import { exitName, exitsOf, type FlowProblem, kindName, type Step, stepName } from '@trunkline/domain/flows'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { Play } from 'lucide-react'
import { memo } from 'react'
import { cx } from '../../../ui/cx.ts'
import { kindIcons } from '../icons.ts'
import { STEP_WIDTH } from '../model/edit.ts'
import { ProblemMark } from '../panel/ProblemList.tsx'

export type StepNodeData = {
  step: Step
  about: string
  isStart: boolean
  problem: FlowProblem | null
  /** In the simulator: the call is here, was here, or was not here. */
  visit: 'now' | 'past' | 'none' | null
}

export type StepNodeType = Node<StepNodeData, 'step'>

/** A step on the canvas: callers enter at the left and leave at the right. */
export const StepNode = memo(function StepNode({ data, selected }: NodeProps<StepNodeType>) {
  const { step, about, isStart, problem, visit } = data
  const Icon = kindIcons[step.kind]
  const exits = exitsOf(step)
  return (
    <div
      style={{ width: STEP_WIDTH }}
      className={cx(
        'rounded-xl border bg-raised text-left shadow-near transition-[border-color,box-shadow,opacity]',
        visit === 'now'
          ? 'border-signal-edge shadow-far ring-3 ring-signal/60'
          : selected
            ? 'border-signal-edge shadow-far ring-1 ring-signal-edge'
            : problem?.severity === 'error'
              ? 'border-danger/70'
              : 'border-edge/50 hover:border-edge',
        visit === 'past' && 'border-signal-edge',
        visit === 'none' && 'opacity-60',
      )}
    >
      <Handle type="target" position={Position.Left} className="top-7!" />
      {isStart && (
        <span className="absolute -top-7 left-1 flex items-center gap-1 font-medium text-signal-ink text-sm">
          <Play aria-hidden className="size-3 fill-current" />
          Call starts
        </span>
      )}
      <div className="flex items-center gap-3 p-3">
        <span
          className={cx(
            'grid size-9 shrink-0 place-items-center rounded-lg',
            step.kind === 'hangup' ? 'bg-danger-soft text-danger' : 'bg-signal-soft text-signal-ink',
          )}
        >
          <Icon aria-hidden className="size-4.5" />
        </span>
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold text-base leading-snug">{stepName(step)}</p>
          <p className="truncate text-muted text-sm">{about}</p>
        </div>
        {problem && <ProblemMark problems={[problem]} stepId={step.id} />}
      </div>
      {exits.length > 0 && (
        <ul className="border-t py-1.5">
          {exits.map((exit) => {
            const isConnected = step.exits[exit] !== undefined
            return (
              <li key={exit} className="relative flex h-6.5 items-center justify-end gap-2 pr-4 pl-3 text-sm">
                <span className={isConnected ? 'text-ink' : 'text-muted'}>{exitName(step.kind, exit)}</span>
                <Handle
                  id={exit}
                  type="source"
                  position={Position.Right}
                  className={isConnected ? 'is-connected' : ''}
                />
              </li>
            )
          })}
        </ul>
      )}
      <span className="sr-only">{kindName(step.kind)}</span>
    </div>
  )
})
