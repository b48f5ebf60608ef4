import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ScreenTitle } from '../ScreenTitle.tsx'

export function Trunks() {
  return (
    <>
      <ScreenTitle
        title="Trunks Management"
        text="Manage your VoIP trunks and routing configurations with ease"
      />
      <Card>
        <EmptyState
          title="No routes yet"
          text="The provider has not set up any routes on this portal, so there is none to choose."
        />
      </Card>
    </>
  )
}
