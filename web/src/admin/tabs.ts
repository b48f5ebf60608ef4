import {
  BellRing,
  ChartNoAxesColumn,
  CreditCard,
  Gauge,
  LifeBuoy,
  type LucideIcon,
  Network,
  ReceiptText,
  ScrollText,
  Tags,
  Users,
  Wallet,
} from 'lucide-react'

export const tabs = [
  { to: '/admin-panal', label: 'Dashboard', icon: Gauge },
  { to: '/admin-panal/payments', label: 'All Payments', icon: CreditCard },
  { to: '/admin-panal/users', label: 'User Management', icon: Users },
  { to: '/admin-panal/promo-codes', label: 'Promo Codes', icon: Tags },
  { to: '/admin-panal/balances', label: 'Balance Management', icon: Wallet },
  { to: '/admin-panal/alerts', label: 'Alerts', icon: BellRing },
  { to: '/admin-panal/trunks', label: 'Trunks & Plans', icon: Network },
  { to: '/admin-panal/calls', label: 'Calls', icon: ReceiptText },
  { to: '/admin-panal/analysis', label: 'Analysis', icon: ChartNoAxesColumn },
  { to: '/admin-panal/support', label: 'Support', icon: LifeBuoy },
  { to: '/admin-panal/audit-log', label: 'Audit Log', icon: ScrollText },
] as const satisfies readonly { to: string; label: string; icon: LucideIcon }[]

export type Tab = (typeof tabs)[number]

/** The tab of a path. */
export const tabAt = (path: string): Tab['label'] =>
  tabs.findLast(({ to }) => path === to || path.startsWith(`${to}/`))?.label ?? 'Dashboard'
