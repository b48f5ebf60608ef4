import { Link } from '@tanstack/react-router'
import { useUser } from '../../app/session.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { PaymentsAway } from '../PaymentsAway.tsx'
import { ScreenTitle } from '../ScreenTitle.tsx'

export function Upgrade() {
  if (useUser()?.is_premium) {
    return (
      <>
        <ScreenTitle title="You are a Premium User!" text="Premium routes are open to you." />
        <Link to="/dashboard" className={buttonClass({ variant: 'primary' })}>
          Go to Dashboard
        </Link>
      </>
    )
  }
  return (
    <>
      <ScreenTitle title="Upgrade to Premium" />
      <Card className="max-w-2xl">
        <PaymentsAway what="upgrade your account" />
      </Card>
    </>
  )
}
