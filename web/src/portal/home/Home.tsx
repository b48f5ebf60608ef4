import { startTransition, useEffect, useState } from 'react'
import { ownLiveCalls } from '../../app/live-calls.ts'
import { queryClient } from '../../app/query-client.ts'
import { refresh, useUser } from '../../app/session.ts'
import { useAfterCalls } from '../../common/calls/use-after-calls.ts'
import { ActiveCallsCard } from './ActiveCallsCard.tsx'
import { BalanceCard } from './BalanceCard.tsx'
import { CallerIdCard } from './caller-id/CallerIdCard.tsx'
import { Charts } from './charts/Charts.tsx'
import { FirstSteps } from './first-steps/FirstSteps.tsx'
import { LiveCallsCard } from './LiveCallsCard.tsx'
import { MissedCallsCard } from './MissedCallsCard.tsx'
import { PremiumBanner } from './PremiumBanner.tsx'
import { QuickActions } from './QuickActions.tsx'

const LEAST_PAUSE_MS = 10_000

/** Calls change the balance and the charts. */
function readAgain(): void {
  void queryClient.invalidateQueries({ queryKey: ['dashboard'] })
  refresh().catch(() => {})
}

export function Home() {
  const user = useUser()
  const hasPainted = useHasPainted()
  useAfterCalls(ownLiveCalls, LEAST_PAUSE_MS, readAgain)
  if (!user) return null
  return (
    <div className="grid grid-cols-1 gap-4">
      <FirstSteps user={user} />
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)_minmax(0,4fr)]">
        <BalanceCard user={user} />
        <ActiveCallsCard />
        <CallerIdCard />
      </div>
      <LiveCallsCard />
      <MissedCallsCard />
      <QuickActions isPremium={user.is_premium} />
      {/* At the end of the page, so nothing moves when they appear. */}
      {hasPainted && <Charts />}
      {hasPainted && !user.is_premium && <PremiumBanner />}
    </div>
  )
}

/** False for the first paint, which a slow phone shows sooner without the parts below the window. */
function useHasPainted(): boolean {
  const [hasPainted, setPainted] = useState(false)
  useEffect(() => startTransition(() => setPainted(true)), [])
  return hasPainted
}
