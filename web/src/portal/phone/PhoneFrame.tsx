import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLazyModule } from '../../common/use-lazy-module.ts'
import { toast } from '../../ui/toast.ts'
import { PhoneContext, type PhoneWish } from './phone-context.ts'

/** Renders the phone beside every screen. Its code is loaded on first use. */
export function PhoneFrame({ children }: { children: ReactNode }) {
  const [wish, setWish] = useState<PhoneWish | null>(null)
  const [opener, setOpener] = useState<Element | null>(null)
  const panel = useLazyModule('phone', () => import('./PhonePanel.tsx'), wish !== null)
  const hasFailed = wish !== null && panel.isError && !panel.isFetching

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
      {children}
      {wish && panel.data && <panel.data.PhonePanel wish={wish} onClose={close} />}
    </PhoneContext>
  )
}
