import { useNavigate } from '@tanstack/react-router'
import { AudioLines, Globe, Hash, LayoutDashboard, Percent, Plus, Route, UserSearch } from 'lucide-react'
import { CUSTOMER_PATH } from '../../app/redirects.ts'
import { closingWith, hangUpCommands, lookAmongCalls, useSharedCommands } from '../../common/commands.ts'
import type { CommandGroup } from '../../ui/command-fit.ts'
import { hangUp } from '../live/hang-up.ts'
import { useLiveCalls } from '../live/use-live-calls.ts'
import { useOverlay } from '../overlay.ts'
import { quickActions, useFollow } from '../quick-actions.ts'
import { tabs } from '../tabs.ts'

/** Every tab and action of the panel, and a search for the typed text. */
export function useCommands(search: string, close: () => void): CommandGroup[] {
  const navigate = useNavigate()
  const follow = useFollow()
  const show = useOverlay()
  const then = closingWith(close)
  const shared = useSharedCommands(then)
  const calls = useLiveCalls((state) => state.calls)
  const wanted = search.trim()

  const lookAmongUsers = {
    id: 'look among users',
    label: `Search users for “${wanted}”`,
    icon: UserSearch,
    fitsAll: true,
    onSelect: then(() => navigate({ to: '/admin-panal/users', search: { search: wanted } })),
  }

  const lookAmongAllCalls = lookAmongCalls(
    wanted,
    then(() => navigate({ to: '/admin-panal/calls', search: { search: wanted, period: 'custom' } })),
  )

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
        {
          label: 'Numbers',
          icon: Hash,
          keywords: ['inventory', 'DID', 'incoming', 'rent', 'assign', 'import'],
          onSelect: then(() => navigate({ to: '/admin-panal/trunks/numbers' })),
        },
        {
          label: 'Bulk pricing',
          icon: Percent,
          keywords: ['price', 'margin', 'cost', 'markup'],
          onSelect: then(() => navigate({ to: '/admin-panal/trunks/pricing' })),
        },
        {
          label: 'Routing rules',
          icon: Route,
          keywords: ['least cost', 'quality', 'ASR', 'failover', 'share'],
          onSelect: then(() => navigate({ to: '/admin-panal/trunks/routing' })),
        },
        {
          label: 'System prompts',
          icon: AudioLines,
          keywords: ['voice', 'recording', 'greeting', 'announcement', 'language'],
          onSelect: then(() => navigate({ to: '/admin-panal/trunks/prompts' })),
        },
        ...quickActions.map(({ label, icon, href }) => ({
          label,
          icon,
          onSelect: href === null ? () => show('export') : then(() => follow(href)),
        })),
        { label: 'Add/Update Website IP', icon: Globe, onSelect: () => show('website-ip') },
        shared.theme,
        {
          label: 'Customer area',
          icon: LayoutDashboard,
          keywords: ['portal'],
          onSelect: then(() => location.assign(CUSTOMER_PATH)),
        },
        shared.logout,
      ],
    },
    ...hangUpCommands(calls, {
      about: ({ user: { username } }) => ({ hint: username, keywords: [username] }),
      onAsk: (uniqueid) => show({ hangUp: uniqueid }),
      onHangUp: (uniqueid) => then(() => hangUp(uniqueid))(),
    }),
    ...(wanted === '' ? [] : [{ heading: 'Search', items: [lookAmongAllCalls, lookAmongUsers] }]),
  ]
}
