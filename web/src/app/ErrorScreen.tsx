import { messages } from '@trunkline/contract/messages'
import { Button } from '../ui/Button.tsx'
import { Lamp } from '../ui/Lamp.tsx'
import { LineScreen } from './LineScreen.tsx'

/** Shown on any uncaught rendering error. Depends on nothing that may have failed. */
export function ErrorScreen() {
  return (
    <LineScreen lamp={<Lamp lit="danger" label="Failure" className="size-6" />}>
      <div role="alert">
        <h1 className="font-semibold text-2xl tracking-tight">{messages.somethingWentWrong}</h1>
        <p className="mt-2 text-muted">
          This screen could not be shown. Your account and your calls are not affected.
        </p>
      </div>
      <Button variant="primary" onClick={() => location.reload()}>
        {messages.refreshPage}
      </Button>
    </LineScreen>
  )
}
