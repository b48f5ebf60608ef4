export { difference, type FieldChange, type FlowChange } from './difference.ts'
export { exportFlow, type ImportFault, importFlow, type NamedFlow } from './file.ts'
export {
  type Comparison,
  callVariables,
  comparisons,
  exitsOf,
  type Flow,
  type Key,
  keyExit,
  keys,
  type Language,
  languages,
  type OpenHours,
  type Sound,
  type Step,
  type StepKind,
  stepKinds,
} from './flow.ts'
export { type FlowProblem, type ProblemCode, type ProblemContext, problemCodes } from './problems/problem.ts'
export { hasErrors, problemsOf } from './problems.ts'
export { type Replay, type ReplayStep, replayOf } from './replay.ts'
export { actionText, eventText, logText } from './replay-words.ts'
export {
  type EndReason,
  endReasons,
  type FlowAction,
  type FlowEvent,
  type FlowLogEntry,
  type FlowState,
  type Phase,
  type Prompt,
  prompts,
  type SpelledText,
  type StepFunction,
  type Stepped,
  type Variables,
} from './run.ts'
export {
  type Choice,
  choicesOf,
  choose,
  hangUp,
  letTimePass,
  pressKey,
  type SimulatedEvent,
  type Simulation,
  type SimulationOptions,
  secondsToNext,
  startSimulation,
  worksOf,
} from './simulate.ts'
export { isLateKey, MAX_STEPS_WITHOUT_KEY, step, WAITING_MS } from './step.ts'
export { phoneDigits } from './steps/talk.ts'
export { type FlowTemplate, flowTemplates } from './templates.ts'
export type { SoundNames } from './value-words.ts'
export { FILLED_TEXT_MAX, fill, VALUE_MAX, variablesIn } from './variables.ts'
export { exitName, kindName, nameOfStep, stepName } from './words.ts'
