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
export { newStep } from './new-step.ts'
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
  type StepFunction,
  type Stepped,
  type Variables,
} from './run.ts'
export { MAX_STEPS_WITHOUT_KEY, step, WAITING_MS } from './step.ts'
export { phoneDigits } from './steps/talk.ts'
export { FILLED_TEXT_MAX, fill, VALUE_MAX, variablesIn } from './variables.ts'
