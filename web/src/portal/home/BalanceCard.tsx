import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { User } from '@trunkline/contract/accounts'
import { messages } from '@trunkline/contract/messages'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { explain } from '../../app/api.ts'
import { refresh, session } from '../../app/session.ts'
import { formatMoney, formatRest, formatTaken } from '../../common/format/money.ts'
import { PanelCard } from '../../common/PanelCard.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { toast } from '../../ui/toast.ts'
import { enoughFor } from './charts/chart-data.ts'
import { usageQuery } from './queries.ts'

export function BalanceCard({ user: { bal, held } }: { user: User }) {
  const usage = useQuery(usageQuery)
  return (
    <PanelCard title="Account Balance" step={0} action={<RefreshButton />}>
      <p className="figures break-all font-semibold text-4xl tracking-tight sm:text-5xl">
        {formatMoney(bal)}
      </p>
      <p className="figures mt-2.5 mb-5 flex items-center gap-2 text-muted text-sm">
        {held > 0 ? (
          <>
            <Lamp lit="pending" label="" />
            <span>
              <span className="text-pending">{formatTaken(bal, held)} held</span> for live calls,{' '}
              {formatRest(bal, held)} available
            </span>
          </>
        ) : (
          ((usage.data && enoughFor(bal, usage.data)) ?? 'Prepaid. Each call is deducted as it happens.')
        )}
      </p>
      <Link to="/dashboard/topup" className={cx(buttonClass({ variant: 'primary' }), 'mt-auto self-start')}>
        Top Up
      </Link>
    </PanelCard>
  )
}

function RefreshButton() {
  const [isBusy, setBusy] = useState(false)

  async function readAgain() {
    setBusy(true)
    try {
      await refresh()
    } catch (error) {
      // An expired session redirects to /login, which shows the message.
      if (session().status === 'authenticated') toast.error(explain(error, messages.currentUserFailed))
    } finally {
      setBusy(false)
    }
  }

  return (
    <button
      type="button"
      title="Refresh Balance"
      aria-label="Refresh Balance"
      aria-busy={isBusy || undefined}
      disabled={isBusy}
      onClick={() => void readAgain()}
      className="grid size-8 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink"
    >
      <RefreshCw aria-hidden className={cx('size-4', isBusy && 'animate-turn')} />
    </button>
  )
}
