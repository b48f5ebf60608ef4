import { House, LifeBuoy, Network, ReceiptText, UserRound } from 'lucide-react'

/** The entries of the sidebar. */
export const screens = [
  { to: '/dashboard', label: 'Home', icon: House },
  { to: '/dashboard/profile', label: 'Profile', icon: UserRound },
  { to: '/dashboard/trunks', label: 'Trunks', icon: Network },
  { to: '/dashboard/cdr-report', label: 'CDR Report', icon: ReceiptText },
  { to: '/dashboard/support', label: 'Support', icon: LifeBuoy },
] as const
