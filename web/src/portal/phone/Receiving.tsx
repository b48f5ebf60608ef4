import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { askToNotify, type NotificationState, notificationState } from './notifications.ts'
import { changeReceiving, useReceiving } from './receiving.ts'

/** Whether and how this browser receives calls. */
export function Receiving({ wantsCalls }: { wantsCalls: boolean }) {
  const { isQuiet } = useReceiving()
  return (
    <details className="border-t pt-3 text-sm">
      <summary className="cursor-pointer select-none rounded-sm py-0.5 font-medium text-muted hover:text-ink">
        Incoming calls
      </summary>
      <div className="mt-3 flex flex-col gap-3">
        <Checkbox
          label="Receive calls in this browser"
          hint="Calls ring here while the portal is open."
          checked={wantsCalls}
          onChange={({ target }) => changeReceiving({ isWanted: target.checked })}
        />
        <Checkbox
          label="Do not disturb"
          hint="Your other phones still ring."
          disabled={!wantsCalls}
          checked={isQuiet}
          onChange={({ target }) => changeReceiving({ isQuiet: target.checked })}
        />
        {wantsCalls && <Notifications />}
      </div>
    </details>
  )
}

const notificationWords: Record<Exclude<NotificationState, 'default'>, string> = {
  granted: 'Desktop notifications are on. They appear while this tab is hidden.',
  denied:
    'Desktop notifications are blocked. Allow them in the address bar to see calls while this tab is hidden.',
  unsupported: 'This browser cannot show desktop notifications for this page.',
}

function Notifications() {
  const [state, setState] = useState(notificationState)
  if (state !== 'default') return <p className="text-muted">{notificationWords[state]}</p>
  return (
    <div>
      <Button size="sm" onClick={() => void askToNotify().then(setState)}>
        Allow desktop notifications
      </Button>
      <p className="mt-1.5 text-muted">Shows the caller while this tab is hidden.</p>
    </div>
  )
}
