import type { LiveCallView } from '@trunkline/contract/live-calls'
import { callLabel } from '@trunkline/contract/switch-names'
import type { LampState } from '../../ui/Lamp.tsx'

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

/** Shortens a call id to its first and last four characters, without switch and host. */
export function shortId(uniqueid: string): string {
  const [own = uniqueid] = callLabel(uniqueid).split('@')
  return own.length <= 10 ? own : `${own.slice(0, 4)}…${own.slice(-4)}`
}
