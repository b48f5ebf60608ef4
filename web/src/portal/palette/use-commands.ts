import { useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages'
import {
  Cable,
  Gauge,
  Headset,
  KeyRound,
  MessageSquarePlus,
  MonitorSmartphone,
  Phone,
  PhoneCall,
  RefreshCw,
  Rocket,
  ShieldAlert,
  ShieldCheck,
} from 'lucide-react'
import { explain } from '../../app/api.ts'
import { ADMIN_PATH } from '../../app/redirects.ts'
import { refresh, useUser } from '../../app/session.ts'
import { closingWith, hangUpCommands, lookAmongCalls, useSharedCommands } from '../../common/commands.ts'
import type { CommandGroup } from '../../ui/command-fit.ts'
import { toast } from '../../ui/toast.ts'
import { hangUp, useLiveCalls } from '../live/live-calls.ts'
import { useOverlay } from '../overlay.ts'
import { useOpenPhone } from '../phone/phone-context.ts'
import { screens } from '../screens.ts'

/** Every screen and action of the customer area, and a search for the typed number. */
export function useCommands(search: string, close: () => void): CommandGroup[] {
  const navigate = useNavigate()
  const show = useOverlay()
  const openPhone = useOpenPhone()
  const user = useUser()
  const then = closingWith(close)
  const shared = useSharedCommands(then)
  const calls = useLiveCalls((state) => state.calls)
  const wanted = search.trim()

  const go = (to: (typeof screens)[number]['to'] | '/dashboard/upgrade') => then(() => navigate({ to }))

  const goInProfile = (hash: string) => then(() => navigate({ to: '/dashboard/profile', hash }))

  const look = lookAmongCalls(
    wanted,
    then(() => navigate({ to: '/dashboard/cdr-report', search: { search: wanted, period: 'custom' } })),
  )

  return [
    {
      heading: 'Screens',
      items: [
        ...screens.map(({ to, label, icon, keywords }) => ({ label, icon, keywords, onSelect: go(to) })),
        {
          label: 'Upgrade',
          icon: Rocket,
          keywords: ['premium'],
          onSelect: go('/dashboard/upgrade'),
        },
        ...(user?.is_admin
          ? [{ label: 'Admin Panel', icon: Gauge, onSelect: then(() => location.assign(ADMIN_PATH)) }]
          : []),
      ],
    },
    {
      heading: 'Actions',
      items: [
        {
          label: 'Set Caller ID',
          icon: Phone,
          keywords: ['change number'],
          onSelect: then(() => navigate({ to: '/dashboard', hash: 'caller-id' })),
        },
        {
          label: 'Connect a phone',
          icon: Cable,
          keywords: ['sip', 'pbx', 'asterisk', 'freepbx', 'freeswitch', '3cx', 'softphone'],
          onSelect: () => show('connect'),
        },
        {
          label: 'SIP password',
          icon: KeyRound,
          keywords: ['credentials', 'secret'],
          onSelect: () => show('connect'),
        },
        {
          label: 'Open phone',
          icon: PhoneCall,
          keywords: ['call from the browser', 'dial', 'echo test'],
          onSelect: then(openPhone),
        },
        { label: 'Make test Call', icon: Headset, onSelect: () => show('test-call') },
        {
          label: 'Refresh Balance',
          icon: RefreshCw,
          onSelect: then(() =>
            refresh().catch((error) => toast.error(explain(error, messages.currentUserFailed))),
          ),
        },
        {
          label: 'Call limits',
          icon: ShieldCheck,
          keywords: ['spend per day', 'highest price', 'countries', 'stop all calls'],
          onSelect: goInProfile('limits'),
        },
        { label: 'Alerts', icon: ShieldAlert, keywords: ['refused calls'], onSelect: goInProfile('alerts') },
        {
          label: 'Open a ticket',
          icon: MessageSquarePlus,
          keywords: ['help', 'ask', 'problem'],
          onSelect: then(() => navigate({ to: '/dashboard/support', search: { ticket: 'new' } })),
        },
        {
          label: 'Active sessions',
          icon: MonitorSmartphone,
          keywords: ['devices', 'sign out everywhere else'],
          onSelect: goInProfile('sessions'),
        },
        { label: 'Change password', icon: KeyRound, onSelect: goInProfile('password') },
        shared.theme,
        shared.logout,
      ],
    },
    ...hangUpCommands(calls, {
      about: ({ country }) => ({ hint: country }),
      onAsk: (uniqueid) => show({ hangUp: uniqueid }),
      onHangUp: (uniqueid) => then(() => hangUp(uniqueid))(),
    }),
    ...(wanted === '' ? [] : [{ heading: 'Calls', items: [look] }]),
  ]
}
