import {
  CreditCard,
  House,
  LifeBuoy,
  type LucideIcon,
  Network,
  PhoneIncoming,
  ReceiptText,
  ScrollText,
  UserRound,
  Voicemail,
  Workflow,
} from 'lucide-react'

type Screen = { to: string; label: string; icon: LucideIcon; keywords: readonly string[] }

/** The entries of the sidebar: those of the specification, Numbers, Flows, Voicemail, Top Up and Statement. Keywords are for the palette. */
export const screens = [
  { to: '/dashboard', label: 'Home', icon: House, keywords: [] },
  { to: '/dashboard/profile', label: 'Profile', icon: UserRound, keywords: [] },
  { to: '/dashboard/trunks', label: 'Trunks', icon: Network, keywords: [] },
  {
    to: '/dashboard/numbers',
    label: 'Numbers',
    icon: PhoneIncoming,
    keywords: ['incoming calls', 'rent a number', 'where it rings', 'forward', 'did'],
  },
  {
    to: '/dashboard/flows',
    label: 'Flows',
    icon: Workflow,
    keywords: ['ivr', 'menu', 'opening hours', 'queue', 'voicemail', 'sounds'],
  },
  {
    to: '/dashboard/voicemail',
    label: 'Voicemail',
    icon: Voicemail,
    keywords: ['messages', 'mailbox', 'greeting', 'recording', 'answering machine'],
  },
  {
    to: '/dashboard/cdr-report',
    label: 'CDR Report',
    icon: ReceiptText,
    keywords: ['call quality', 'mos', 'missed calls'],
  },
  { to: '/dashboard/support', label: 'Support', icon: LifeBuoy, keywords: [] },
  {
    to: '/dashboard/topup',
    label: 'Top Up',
    icon: CreditCard,
    keywords: ['add credit', 'money', 'payments', 'promo code'],
  },
  {
    to: '/dashboard/statement',
    label: 'Statement',
    icon: ScrollText,
    keywords: ['account', 'balance', 'transactions', 'charges', 'rent', 'refunds', 'money'],
  },
] as const satisfies readonly Screen[]
