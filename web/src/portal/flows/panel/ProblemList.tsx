import { type FlowProblem, stepName } from '@trunkline/domain/flows'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { cx } from '../../../ui/cx.ts'
import { stepOf } from '../model/edit.ts'
import type { Editor } from '../use-editor.ts'

type Severity = FlowProblem['severity']

const looks: Record<Severity, { icon: typeof CircleAlert; color: string; box: string }> = {
  error: {
    icon: CircleAlert,
    color: 'text-danger',
    box: 'border-danger/45 bg-danger-soft',
  },
  warning: {
    icon: TriangleAlert,
    color: 'text-pending',
    box: 'border-pending/45 bg-pending-soft',
  },
}

type ProblemListProps = { editor: Pick<Editor, 'flow' | 'select'>; problems: readonly FlowProblem[] }

/** Each problem selects its step. Warnings do not prevent publishing. */
export const ProblemList = ({ editor, problems }: ProblemListProps) => (
  <ul aria-label="Problems" className="flex flex-col gap-1.5">
    {problems.map(({ stepId, exit, text, severity }) => {
      const step = stepOf(editor.flow, stepId)
      const { icon: Icon, color, box } = looks[severity]
      return (
        <li key={`${stepId} ${exit} ${text}`}>
          <button
            type="button"
            onClick={() => editor.select(stepId)}
            className={cx(
              'flex w-full gap-2.5 rounded-md border px-3 py-2 text-left text-ink text-sm hover:border-ink',
              box,
            )}
          >
            <Icon
              role="img"
              aria-label={severity === 'error' ? 'Error' : 'Warning'}
              className={cx('mt-0.5 size-4 shrink-0', color)}
            />
            <span className="min-w-0">
              {step && <span className="font-medium">{stepName(step)}: </span>}
              {text}
            </span>
          </button>
        </li>
      )
    })}
  </ul>
)

/** The problems of the step that is shown. */
export const StepProblems = ({ problems }: { problems: readonly FlowProblem[] }) =>
  problems.length > 0 && (
    <ul aria-label="Problems of this step" className="flex flex-col gap-1.5">
      {problems.map(({ exit, text, severity }) => {
        const { icon: Icon, color, box } = looks[severity]
        return (
          <li
            key={`${exit} ${text}`}
            className={cx('flex gap-2.5 rounded-md border px-3 py-2 text-ink text-sm', box)}
          >
            <Icon
              role="img"
              aria-label={severity === 'error' ? 'Error' : 'Warning'}
              className={cx('mt-0.5 size-4 shrink-0', color)}
            />
            <span className="min-w-0">{text}</span>
          </li>
        )
      })}
    </ul>
  )

/** The worst problem of a step. */
export const problemOf = (problems: readonly FlowProblem[], stepId: string): FlowProblem | undefined => {
  const own = problems.filter((problem) => problem.stepId === stepId)
  return own.find(({ severity }) => severity === 'error') ?? own[0]
}

/** Marks a step that has a problem. */
export function ProblemMark({ problems, stepId }: { problems: readonly FlowProblem[]; stepId: string }) {
  const problem = problemOf(problems, stepId)
  if (!problem) return null
  const { icon: Icon, color } = looks[problem.severity]
  return (
    <span title={problem.text} className={cx('shrink-0', color)}>
      <Icon role="img" aria-label={`Problem: ${problem.text}`} className="size-4" />
    </span>
  )
}
