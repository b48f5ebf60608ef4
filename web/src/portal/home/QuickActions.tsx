import { Link } from '@tanstack/react-router'
import { CreditCard, Headset, Network, ReceiptText, Rocket } from 'lucide-react'
import { PanelCard } from '../../common/PanelCard.tsx'
import { useOverlay } from '../overlay.ts'

const actionClass =
  'flex h-11 w-full items-center gap-3 rounded-md border border-edge/40 bg-raised px-3.5 text-left font-medium text-sm transition-colors hover:border-edge [&>svg]:size-4.5 [&>svg]:shrink-0 [&>svg]:text-muted'

const actions = [
  { to: '/dashboard/topup', label: 'Add Credit', icon: CreditCard },
  { to: '/dashboard/cdr-report', label: 'CDR Report', icon: ReceiptText },
  { to: '/dashboard/trunks', label: 'Manage Trunk', icon: Network },
  { to: '/dashboard/upgrade', label: 'Upgrade', icon: Rocket },
] as const

export function QuickActions({ isPremium }: { isPremium: boolean }) {
  const show = useOverlay()
  return (
    <PanelCard title="Quick Actions" step={4}>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        {actions
          .filter(({ label }) => !(isPremium && label === 'Upgrade'))
          .map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link to={to} className={actionClass}>
                <Icon aria-hidden />
                {label}
              </Link>
            </li>
          ))}
        <li>
          <button type="button" className={actionClass} onClick={() => show('test-call')}>
            <Headset aria-hidden />
            Make test Call
          </button>
        </li>
      </ul>
    </PanelCard>
  )
}
