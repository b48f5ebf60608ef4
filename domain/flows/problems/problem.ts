import type { Step } from '../flow.ts'

export const problemCodes = [
  'no_start',
  'duplicate_step',
  'unreachable',
  'missing_step',
  'exit_not_connected',
  'exits_hang_up',
  'loop',
  'no_keys',
  'duplicate_key',
  'digits_range',
  'never_open',
  'holiday_invalid',
  'number_invalid',
  'no_route',
  'no_balance',
  'caller_chooses_number',
  'unknown_variable',
  'sound_missing',
  'empty_text',
  'no_speech',
  'no_announcement',
  'recording_not_allowed',
  'url_invalid',
  'mail_address_invalid',
  'pbx_not_trusted',
] as const
export type ProblemCode = (typeof problemCodes)[number]

export type FlowProblem = {
  /** Null: the whole flow. */
  readonly stepId: string | null
  readonly exit?: string
  /** Only errors prevent publishing. */
  readonly severity: 'error' | 'warning'
  readonly code: ProblemCode
  /** One or two sentences for the customer. */
  readonly text: string
}

/** Facts about the account. A check whose fact is missing is left out. */
export type ProblemContext = {
  /** `number`: digits in international format. */
  readonly hasRoute?: (number: string) => boolean
  /** Whether the balance covers the first minute. `number`: as above. */
  readonly hasBalance?: (number: string) => boolean
  readonly soundIds?: readonly number[]
  /** Addresses where the account may have a PBX. */
  readonly trustedAddresses?: readonly string[]
  /** Texts can be spoken. */
  readonly canSpeak?: boolean
  /** The operator allows recording. */
  readonly canRecord?: boolean
}

export const error = ({ id }: Pick<Step, 'id'>, code: ProblemCode, text: string): FlowProblem => ({
  stepId: id,
  severity: 'error',
  code,
  text,
})

export const warning = (step: Pick<Step, 'id'>, code: ProblemCode, text: string): FlowProblem => ({
  ...error(step, code, text),
  severity: 'warning',
})
