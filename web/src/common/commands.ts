import type { LiveCallView } from '@trunkline/contract/live-calls'
import { FileSearch, LogOut, PhoneOff, SunMoon } from 'lucide-react'
import { logout } from '../app/session.ts'
import { useTheme } from '../app/theme.ts'
import type { CommandGroup, CommandItem } from '../ui/command-fit.ts'

/** What the palettes of the customer area and of the panel have in common. */

/** Beyond that many, the list of live calls is the place. */
const MAX_CALLS = 5

/** What an action becomes that closes the palette first. */
export type Then = (action: () => unknown) => () => void

/** After the focus has gone back to where it was: the action may want it elsewhere. */
export const closingWith =
  (close: () => void): Then =>
  (action) =>
  () => {
    close()
    setTimeout(action)
  }

export function useThemeCommand(then: Then): CommandItem {
  const { theme, toggle } = useTheme()
  return {
    label: `Switch to ${theme === 'dark' ? 'light' : 'dark'} theme`,
    icon: SunMoon,
    keywords: ['appearance'],
    onSelect: then(toggle),
  }
}

export const logoutCommand = (then: Then): CommandItem => ({
  label: 'Logout',
  icon: LogOut,
  keywords: ['sign out'],
  onSelect: then(logout),
})

/** What was typed may be the number of a call. */
export const lookAmongCalls = (wanted: string, onSelect: () => void): CommandItem => ({
  id: 'look among calls',
  label: `Search all calls for “${wanted}”`,
  icon: FileSearch,
  fitsAll: true,
  onSelect,
})

type HangUpWays<Call> = {
  /** What tells a call from others to the same number. */
  about: (call: Call) => Pick<CommandItem, 'hint' | 'keywords'>
  onAsk: (uniqueid: string) => void
  onHangUp: (uniqueid: string) => void
}

/** Who only rings loses nothing; who talks is asked first. */
export function hangUpCommands<Call extends LiveCallView>(
  calls: readonly Call[],
  { about, onAsk, onHangUp }: HangUpWays<Call>,
): CommandGroup[] {
  const items = calls.slice(0, MAX_CALLS).map((call) => ({
    id: call.uniqueid,
    label: `Hang up ${call.ndiscado}`,
    icon: PhoneOff,
    ...about(call),
    onSelect: () => (call.state === 'answered' ? onAsk : onHangUp)(call.uniqueid),
  }))
  return items.length > 0 ? [{ heading: 'Live calls', items }] : []
}
