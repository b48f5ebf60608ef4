import type { LiveCallView } from '@trunkline/contract/live-calls'
import { FileSearch, LogOut, PhoneOff, SunMoon } from 'lucide-react'
import { logout } from '../app/session.ts'
import { useTheme } from '../app/theme.ts'
import type { CommandGroup, CommandItem } from '../ui/command-fit.ts'
import { otherSide } from './calls/call-look.ts'

/** Commands that the palettes of customers and administrators share. */

/** Maximum number of live calls in the palette. */
const MAX_CALLS = 5

/** Wraps an action so that the palette closes first. */
export type Then = (action: () => unknown) => () => void

/** Runs the action after the palette has restored the focus. */
export const closingWith =
  (close: () => void): Then =>
  (action) =>
  () => {
    close()
    setTimeout(action)
  }

export function useSharedCommands(then: Then): Record<'theme' | 'logout', CommandItem> {
  const { theme, toggle } = useTheme()
  return {
    theme: {
      label: `Switch to ${theme === 'dark' ? 'light' : 'dark'} theme`,
      icon: SunMoon,
      keywords: ['appearance'],
      onSelect: then(toggle),
    },
    logout: { label: 'Logout', icon: LogOut, keywords: ['sign out'], onSelect: then(logout) },
  }
}

/** Searches the call report for the typed text. */
export const lookAmongCalls = (wanted: string, onSelect: () => void): CommandItem => ({
  id: 'look among calls',
  label: `Search all calls for “${wanted}”`,
  icon: FileSearch,
  fitsAll: true,
  onSelect,
})

type HangUpWays<Call> = {
  /** Distinguishes calls to the same number. */
  about: (call: Call) => Pick<CommandItem, 'hint' | 'keywords'>
  onAsk: (uniqueid: string) => void
  onHangUp: (uniqueid: string) => void
}

/** Only answered calls ask for confirmation. */
export function hangUpCommands<Call extends LiveCallView>(
  calls: readonly Call[],
  { about, onAsk, onHangUp }: HangUpWays<Call>,
): CommandGroup[] {
  const items = calls.slice(0, MAX_CALLS).map((call) => ({
    id: call.uniqueid,
    label: `Hang up ${otherSide(call)}`,
    icon: PhoneOff,
    ...about(call),
    onSelect: () => (call.state === 'answered' ? onAsk : onHangUp)(call.uniqueid),
  }))
  return items.length > 0 ? [{ heading: 'Live calls', items }] : []
}
