import type { Stage } from './engine/call.ts'
import type { Help } from './engine/words.ts'

export const stageWords: Record<Stage, string> = {
  incoming: 'Incoming call',
  microphone: 'Waiting for the microphone…',
  calling: 'Calling…',
  ringing: 'Ringing…',
  talking: 'In a call',
  ending: 'Hanging up…',
  over: 'Call ended',
}

export const helpLinks: Record<Help, { to: string; hash?: string; label: string }> = {
  'caller-id': { to: '/dashboard', hash: 'caller-id', label: 'Set Caller ID' },
  'top-up': { to: '/dashboard/topup', label: 'Top Up' },
  routes: { to: '/dashboard/trunks', label: 'Choose a route' },
  upgrade: { to: '/dashboard/upgrade', label: 'Upgrade' },
  limits: { to: '/dashboard/profile', hash: 'limits', label: 'Call limits' },
}
