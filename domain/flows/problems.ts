import type { Flow } from './flow.ts'
import { exitProblems } from './problems/exits.ts'
import { fieldProblems } from './problems/fields.ts'
import { graphProblems } from './problems/graph.ts'
import type { FlowProblem, ProblemContext } from './problems/problem.ts'
import { textProblems } from './problems/texts.ts'

/** Problems of the whole flow come first, then those of the steps in their order. */
export function problemsOf(flow: Flow, context: ProblemContext = {}): readonly FlowProblem[] {
  const found = [
    ...graphProblems(flow),
    ...textProblems(flow, context),
    ...flow.steps.flatMap((step) => fieldProblems(step, context)),
    ...exitProblems(flow),
  ]
  const placeOf = ({ stepId }: FlowProblem) => flow.steps.findIndex(({ id }) => id === stepId)
  return found.sort((one, other) => placeOf(one) - placeOf(other))
}

export const hasErrors = (problems: readonly FlowProblem[]): boolean =>
  problems.some(({ severity }) => severity === 'error')
