import type { LiveCallView } from '@trunkline/contract/live-calls'
import { callLabel } from '@trunkline/contract/switch-names'
import type { LampState } from '../../ui/Lamp.tsx'
import { formatPhoneNumber } from '../format/phone-numbers.ts'
import { numberToCallBack, withPlus } from './directions.ts'

type Look = { word: string; lit: LampState; pulse: boolean }

const looks: Record<LiveCallView['state'], Look> = {
  calling: { word: 'Calling', lit: 'pending', pulse: false },
  ringing: { word: 'Ringing', lit: 'signal', pulse: true },
  answered: { word: 'Answered', lit: 'signal', pulse: false },
}

export const lookOf = ({
  state,
  hangup_requested,
}: Pick<LiveCallView, 'state' | 'hangup_requested'>): Look =>
  hangup_requested ? { word: 'Ending', lit: 'off', pulse: false } : looks[state]

/** The other side of a live call: the dialed number, or the caller of an incoming call. */
export const otherSide = ({
  direction,
  ndiscado,
  destination,
  caller,
}: Pick<LiveCallView, 'direction' | 'ndiscado' | 'destination' | 'caller'>): string =>
  direction === 'in' ? formatCaller(caller) : formatPhoneNumber(ndiscado, destination)

/** Anonymous callers have no number. */
export const formatCaller = (caller: string): string =>
  numberToCallBack(caller) === null ? caller || 'Unknown caller' : formatPhoneNumber(withPlus(caller))

/** Shortens a call id to its first and last four characters, without switch and host. */
export function shortId(uniqueid: string): string {
  const [own = uniqueid] = callLabel(uniqueid).split('@')
  return own.length <= 10 ? own : `${own.slice(0, 4)}…${own.slice(-4)}`
}
