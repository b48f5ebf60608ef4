import { Link } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { explain } from '../../app/api.ts'
import { refresh, session, useUser } from '../../app/session.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { toast } from '../../ui/toast.ts'
import { inDollars, restInDollars } from '../dollars.ts'
import { Facts } from '../Facts.tsx'
import { ScreenTitle } from '../ScreenTitle.tsx'

export function Home() {
  const user = useUser()
  if (!user) return null
  const since = new Date(user.createdAt).toLocaleDateString('en-US', { dateStyle: 'long' })
  return (
    <>
      <ScreenTitle title={`Hello, ${user.name || user.username || 'User'}`} text="Here is your account." />
      <div className="grid gap-4 md:grid-cols-2">
        <BalanceCard balance={user.bal} held={user.held} />
        <Card>
          <CardHeader
            title="Account"
            action={
              <span className="flex items-center gap-2 text-sm">
                <Lamp lit={user.is_premium ? 'signal' : 'off'} label="" />
                {user.is_premium ? 'Premium' : 'Regular'}
              </span>
            }
          />
          <Facts
            facts={[
              ['Username', user.username],
              ['Company', user.company || 'N/A'],
              ['Member since', since],
            ]}
          />
        </Card>
      </div>
    </>
  )
}

function BalanceCard({ balance, held }: { balance: number; held: number }) {
  const [isBusy, setBusy] = useState(false)

  async function readAgain() {
    setBusy(true)
    try {
      await refresh()
    } catch (error) {
      // Whoever is no longer signed in is on the way to /login, which says so.
      if (session().status === 'authenticated') toast.error(explain(error, messages.currentUserFailed))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card aria-label="Account Balance">
      <CardHeader
        title="Account Balance"
        action={
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
        }
      />
      <p className="figures font-semibold text-5xl tracking-tight">{inDollars(balance)}</p>
      {held > 0 ? (
        <p className="figures mt-3 flex items-center gap-2 text-sm">
          <Lamp lit="pending" label="" />
          <span>
            <span className="text-pending">{inDollars(held)} held</span> for live calls,{' '}
            {restInDollars(balance, held)} available
          </span>
        </p>
      ) : (
        <p className="mt-3 text-muted text-sm">Prepaid: calls are paid from it as they are made.</p>
      )}
      <Link to="/dashboard/topup" className={cx(buttonClass({ variant: 'primary' }), 'mt-5')}>
        Top Up
      </Link>
    </Card>
  )
}
