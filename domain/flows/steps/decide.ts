import { localDate, localTime, matches } from '../../ringing/index.ts'
import type { Step } from '../flow.ts'
import { cut, fill } from '../variables.ts'
import { end, type Handler, leave } from './handler.ts'

/** Steps that do not wait. */

export const hours: Handler<'hours'> = {
  enter(step, { at }) {
    if (isHoliday(step, at)) return leave('holiday')
    const moment = localTime(step.timeZone, at)
    return leave(step.open.some((each) => matches(each, moment)) ? 'open' : 'closed')
  },
}

function isHoliday({ holidays, timeZone }: Step<'hours'>, at: number): boolean {
  const date = localDate(timeZone, at)
  return holidays.includes(date) || holidays.includes(date.slice('2026-'.length))
}

export const set: Handler<'set'> = {
  enter: ({ variable, value }, { variables }) =>
    leave('next', [], cut({ [variable]: fill(value, variables) })),
}

export const compare: Handler<'compare'> = {
  enter({ left, comparison, right }, { variables }) {
    const isTrue = comparers[comparison](normal(fill(left, variables)), normal(fill(right, variables)))
    return leave(isTrue ? 'yes' : 'no')
  },
}

/** Case and surrounding spaces do not matter. */
const normal = (text: string): string => text.trim().toLowerCase()

const comparers: Readonly<Record<Step<'compare'>['comparison'], (left: string, right: string) => boolean>> = {
  is: (left, right) => left === right,
  is_not: (left, right) => left !== right,
  starts_with: (left, right) => left.startsWith(right),
  contains: (left, right) => left.includes(right),
  less_than: (left, right) => toNumber(left) < toNumber(right),
  greater_than: (left, right) => toNumber(left) > toNumber(right),
}

/** A text that is no number is neither less nor greater than anything. */
const toNumber = (text: string): number => (text === '' ? Number.NaN : Number(text))

export const hangup: Handler<'hangup'> = { enter: () => end('hangup_step') }
