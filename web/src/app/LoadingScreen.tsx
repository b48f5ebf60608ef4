import { messages } from '@trunkline/contract/messages'
import { Button } from '../ui/Button.tsx'
import { Lamp } from '../ui/Lamp.tsx'
import { LineScreen } from './LineScreen.tsx'
import { useSession, verify } from './session.ts'

/** Shown while the session is checked or a screen loads. */
export function LoadingScreen({ text = 'Loading...' }: { text?: string }) {
  const session = useSession()
  const isTroubled = session.status === 'loading' && session.troubled
  return (
    <LineScreen
      lamp={<Lamp lit={isTroubled ? 'pending' : 'signal'} pulse={!isTroubled} label="" className="size-6" />}
    >
      <div role="status">
        <h1 className="text-muted">{text}</h1>
      </div>
      {isTroubled && (
        <>
          <p className="text-balance text-sm">
            The server is not responding. You are still signed in. This page continues when the server
            responds.
          </p>
          <Button onClick={() => void verify()}>Try again</Button>
        </>
      )}
    </LineScreen>
  )
}

export const AdminLoadingScreen = () => <LoadingScreen text={messages.checkingAdmin} />

/** Shown inside the layout while its content loads. */
export const PendingPart = () => (
  <p role="status" className="py-16 text-center text-muted">
    Loading...
  </p>
)
