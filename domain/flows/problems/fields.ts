import type { Step } from '../flow.ts'
import { phoneDigits } from '../steps/talk.ts'
import { variablesIn } from '../variables.ts'
import { error, type FlowProblem, type ProblemContext, warning } from './problem.ts'

/** Problems of the fields of one step. */
export function fieldProblems(step: Step, context: ProblemContext): readonly FlowProblem[] {
  switch (step.kind) {
    case 'menu':
      return keyProblems(step)
    case 'collect':
      return step.minDigits > step.maxDigits
        ? [error(step, 'digits_range', 'The fewest digits must not be more than the most digits.')]
        : []
    case 'hours':
      return hoursProblems(step)
    case 'ring':
      return pbxProblems(step, context)
    case 'forward':
      return forwardProblems(step, context)
    case 'record':
      return recordProblems(step, context)
    case 'http':
      return isWebAddress(step.url)
        ? []
        : [error(step, 'url_invalid', 'Enter a web address that starts with https://.')]
    case 'mail':
      return mailProblems(step)
    default:
      return []
  }
}

function keyProblems(step: Step<'menu'>): readonly FlowProblem[] {
  if (step.keys.length === 0) return [error(step, 'no_keys', 'Add at least one key.')]
  const repeated = new Set(step.keys.filter((key, at) => step.keys.indexOf(key) < at))
  return [...repeated].map((key) =>
    error(step, 'duplicate_key', `Two choices have the key ${key}. Turn it off and on to keep one.`),
  )
}

function hoursProblems(step: Step<'hours'>): readonly FlowProblem[] {
  const invalid = step.holidays.filter((date) => !isDate(date))
  return [
    ...(step.open.length === 0
      ? [warning(step, 'never_open', 'There are no opening hours, so it is never open.')]
      : []),
    ...invalid.map((date) =>
      error(step, 'holiday_invalid', `“${date}” is not a date. Write 2026-12-25, or 12-25 for every year.`),
    ),
  ]
}

/** `2026-12-25`, or `12-25`, which includes `02-29`. */
function isDate(text: string): boolean {
  const date = /^\d{2}-\d{2}$/.test(text) ? `2024-${text}` : text
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return false
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date)
}

function pbxProblems(step: Step<'ring'>, { trustedAddresses }: ProblemContext): readonly FlowProblem[] {
  const { destination } = step
  if (destination.kind !== 'pbx' || !trustedAddresses || trustedAddresses.includes(destination.address))
    return []
  return [
    error(
      step,
      'pbx_not_trusted',
      `${destination.address} is not one of your trusted addresses. Add it in your profile first.`,
    ),
  ]
}

function forwardProblems(
  step: Step<'forward'>,
  { hasRoute, hasBalance }: ProblemContext,
): readonly FlowProblem[] {
  if (variablesIn(step.number).length > 0)
    return [
      warning(
        step,
        'caller_chooses_number',
        'A variable decides which number is called, at your cost. Check it first.',
      ),
    ]
  const digits = phoneDigits(step.number)
  if (digits === null)
    return [error(step, 'number_invalid', 'Enter a number with country code, for example +44 20 7946 0123.')]
  if (hasRoute && !hasRoute(digits)) return [error(step, 'no_route', `Calls to +${digits} are not possible.`)]
  return hasBalance && !hasBalance(digits)
    ? [warning(step, 'no_balance', `Your balance does not cover a call to +${digits}. Top up first.`)]
    : []
}

function recordProblems(step: Step<'record'>, { canRecord }: ProblemContext): readonly FlowProblem[] {
  if (step.turn === 'off') return []
  if (canRecord === false)
    return [
      error(
        step,
        'recording_not_allowed',
        'Recording is off for your account. Ask your provider to allow it.',
      ),
    ]
  return step.announcement
    ? []
    : [
        warning(
          step,
          'no_announcement',
          'Callers are not told that the call is recorded. Many countries require it.',
        ),
      ]
}

/** The server also refuses private addresses. */
function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return ['https:', 'http:'].includes(protocol) && hostname !== '' && username === '' && password === ''
}

function mailProblems(step: Step<'mail'>): readonly FlowProblem[] {
  const isKnown = variablesIn(step.to).length === 0
  return [
    ...(isKnown && !/^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/.test(step.to.trim())
      ? [error(step, 'mail_address_invalid', 'Enter an email address.')]
      : []),
    ...(step.subject.trim() === '' && step.text.trim() === ''
      ? [error(step, 'empty_text', 'Enter the subject or the text of the email.')]
      : []),
  ]
}
