import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ScreenTitle } from '../ScreenTitle.tsx'

export function CdrReport() {
  return (
    <>
      <ScreenTitle title="CDR Reports" text="Call Detail Records and Analytics" />
      <Card>
        <EmptyState title="No calls yet" text="No call has been made from this account." />
      </Card>
    </>
  )
}
