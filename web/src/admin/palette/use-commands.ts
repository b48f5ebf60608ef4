import { useNavigate } from '@tanstack/react-router'
import { FileSearch, Globe, LayoutDashboard, LogOut, PhoneOff, Plus, SunMoon, UserSearch } from 'lucide-react'
import { CUSTOMER_PATH } from '../../app/redirects.ts'
import { logout } from '../../app/session.ts'
import { useTheme } from '../../app/theme.ts'
import type { CommandGroup } from '../../ui/CommandMenu.tsx'
import { hangUp } from '../live/hang-up.ts'
import { useLiveCalls } from '../live/use-live-calls.ts'
import { useOverlay } from '../overlay.ts'
import { quickActions, useFollow } from '../quick-actions.ts'
import { tabs } from '../tabs.ts'

/** Beyond that many, the list of live calls is the place. */
const MOST_CALLS = 5

/** Every tab and every action of the panel. What is typed may also be a number or a name to look for. */
export function useCommands(search: string, close: () => void): CommandGroup[] {
  const navigate = useNavigate()
  const follow = useFollow()
  const show = useOverlay()
  const { theme, toggle } = useTheme()
  const calls = useLiveCalls((state) => state.calls)
  const wanted = search.trim()

  // After the focus has gone back to where it was: the action may want it elsewhere.
  const then = (action: () => unknown) => () => {
    close()
    setTimeout(action)
  }

  const lookAmongUsers = {
    id: 'look among users',
    label: `Look for “${wanted}” among users`,
    icon: UserSearch,
    fitsAll: true,
    onSelect: then(() => navigate({ to: '/admin-panal/users', search: { search: wanted } })),
  }
  const lookAmongCalls = {
    id: 'look among calls',
    label: `Look for “${wanted}” among all calls`,
    icon: FileSearch,
    fitsAll: true,
    onSelect: then(() =>
      navigate({ to: '/admin-panal/calls', search: { search: wanted, period: 'custom' } }),
    ),
  }

  return [
    {
      heading: 'Tabs',
      items: tabs.map(({ to, label, icon }) => ({ label, icon, onSelect: then(() => navigate({ to })) })),
    },
    {
      heading: 'Actions',
      items: [
        {
          label: 'Add Trunk/Route',
          icon: Plus,
          keywords: ['price', 'country', 'plan'],
          onSelect: then(() => navigate({ to: '/admin-panal', search: { route: 'new' } })),
        },
        ...quickActions.map(({ label, icon, href }) => ({
          label,
          icon,
          onSelect: href === null ? () => show('export') : then(() => follow(href)),
        })),
        { label: 'Add/Update Website IP', icon: Globe, onSelect: () => show('website-ip') },
        {
          label: `Switch to ${theme === 'dark' ? 'light' : 'dark'} theme`,
          icon: SunMoon,
          keywords: ['appearance'],
          onSelect: then(toggle),
        },
        {
          label: 'Customer area',
          icon: LayoutDashboard,
          keywords: ['portal'],
          onSelect: then(() => location.assign(CUSTOMER_PATH)),
        },
        { label: 'Logout', icon: LogOut, keywords: ['sign out'], onSelect: then(logout) },
      ],
    },
    ...(calls.length > 0
      ? [
          {
            heading: 'Live calls',
            items: calls.slice(0, MOST_CALLS).map(({ uniqueid, ndiscado, user, state }) => ({
              id: uniqueid,
              label: `Hang up ${ndiscado}`,
              icon: PhoneOff,
              hint: user.username,
              keywords: [user.username],
              onSelect:
                state === 'answered' ? () => show({ hangUp: uniqueid }) : then(() => hangUp(uniqueid)),
            })),
          },
        ]
      : []),
    ...(wanted === '' ? [] : [{ heading: 'Look for it', items: [lookAmongCalls, lookAmongUsers] }]),
  ]
}
