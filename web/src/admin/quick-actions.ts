import { useNavigate } from '@tanstack/react-router'
import { ChartNoAxesCombined, Download, HandCoins, type LucideIcon, TicketPercent } from 'lucide-react'

/** Export opens a dialog; the others navigate. */
export const quickActions = [
  { label: 'Process Refund', icon: HandCoins, href: '/admin-panal/payments?refundable=1' },
  { label: 'Generate Promo Code', icon: TicketPercent, href: '/admin-panal/promo-codes?new=1' },
  { label: 'Export Reports', icon: Download, href: null },
  { label: 'View Analytics', icon: ChartNoAxesCombined, href: '/admin-panal#analytics' },
] as const satisfies readonly { label: string; icon: LucideIcon; href: string | null }[]

/** Navigates, and scrolls to the anchor even if it is on the current page. */
export function useFollow(): (href: string) => Promise<void> {
  const navigate = useNavigate()
  return async (href) => {
    await navigate({ href })
    const part = document.getElementById(href.split('#')[1] ?? '')
    part?.scrollIntoView()
    part?.focus({ preventScroll: true })
  }
}
