import { useUser } from '../../app/session.ts'
import { ActiveCallsCard } from './ActiveCallsCard.tsx'
import { BalanceCard } from './BalanceCard.tsx'
import { CallerIdCard } from './caller-id/CallerIdCard.tsx'
import { Charts } from './charts/Charts.tsx'
import { FirstSteps } from './first-steps/FirstSteps.tsx'
import { LiveCallsCard } from './LiveCallsCard.tsx'
import { PremiumBanner } from './PremiumBanner.tsx'
import { QuickActions } from './QuickActions.tsx'
import { useFiguresAfterCalls } from './use-figures-after-calls.ts'

/** A user is known here only with their data: while that loads, the gate before this screen waits. */
export function Home() {
  const user = useUser()
  useFiguresAfterCalls()
  if (!user) return null
  return (
    <div className="grid grid-cols-1 gap-4">
      <FirstSteps user={user} />
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)_minmax(0,4fr)]">
        <BalanceCard user={user} />
        <ActiveCallsCard />
        <CallerIdCard />
      </div>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <LiveCallsCard />
        <QuickActions isPremium={user.is_premium} />
      </div>
      <Charts />
      {!user.is_premium && <PremiumBanner />}
    </div>
  )
}
