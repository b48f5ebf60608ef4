import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useSite } from '../../app/site.ts'
import { useLazyModule } from '../../common/use-lazy-module.ts'
import { toast } from '../../ui/toast.ts'
import {
  HasCallContext,
  PhoneContext,
  PhoneStatusContext,
  type PhoneWish,
  type ReceivingStatus,
} from './phone-context.ts'
import { hasNumbersQuery } from './queries.ts'
import { useReceiving } from './receiving.ts'

/** Renders the phone beside every screen. Its code is loaded on first use, or if the customer receives calls. */
export function PhoneFrame({ children }: { children: ReactNode }) {
  const [wish, setWish] = useState<PhoneWish | null>(null)
  const [opener, setOpener] = useState<Element | null>(null)
  const [status, setStatus] = useState<ReceivingStatus | null>(null)
  const [hasCall, setHasCall] = useState(false)
  const wantsCalls = useWantsCalls()
  const host = useLazyModule('phone-host', () => import('./PhoneHost.tsx'), wish !== null || wantsCalls)
  const panel = useLazyModule('phone', () => import('./PhonePanel.tsx'), wish !== null)
  const hasFailed = wish !== null && [host, panel].some(({ isError, isFetching }) => isError && !isFetching)
  const Panel = panel.data?.PhonePanel

  const open = useCallback((given: PhoneWish = {}) => {
    setOpener(document.activeElement)
    setWish({ ...given })
  }, [])
  const close = useCallback(() => {
    setWish(null)
    if (opener instanceof HTMLElement) opener.focus()
  }, [opener])

  useEffect(() => {
    if (!hasFailed) return
    toast.error('The phone could not be loaded. Please try again.')
    setWish(null)
  }, [hasFailed])

  return (
    <PhoneContext value={open}>
      <PhoneStatusContext value={status}>
        {host.data && (
          <host.data.PhoneHost
            wantsCalls={wantsCalls}
            isOpen={wish !== null}
            onOpen={open}
            onStatus={setStatus}
            onCall={setHasCall}
            panel={(phone) =>
              wish && Panel && <Panel phone={phone} wish={wish} wantsCalls={wantsCalls} onClose={close} />
            }
          />
        )}
        <HasCallContext value={hasCall}>{children}</HasCallContext>
      </PhoneStatusContext>
    </PhoneContext>
  )
}

/** Customers with a number receive calls, unless they have switched it off in this browser or no switch accepts browsers. */
function useWantsCalls(): boolean {
  const { isWanted } = useReceiving()
  const isPossible = useSite()?.has_browser_phone === true
  const { data: hasNumbers = false } = useQuery({
    ...hasNumbersQuery,
    enabled: isPossible && isWanted === null,
  })
  return isPossible && (isWanted ?? hasNumbers)
}
