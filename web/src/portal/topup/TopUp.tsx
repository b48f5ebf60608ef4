import { Card } from '../../ui/Card.tsx'
import { PaymentsAway } from '../PaymentsAway.tsx'
import { ScreenTitle } from '../ScreenTitle.tsx'

export function TopUp() {
  return (
    <>
      <ScreenTitle title="Top Up Your Balance" />
      <Card className="max-w-2xl">
        <PaymentsAway what="add credit" />
      </Card>
    </>
  )
}
