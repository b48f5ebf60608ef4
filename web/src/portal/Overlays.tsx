import { useEffect } from 'react'
import { usePart } from '../common/use-part.ts'
import { toast } from '../ui/toast.ts'
import type { Overlay } from './overlay.ts'

/** Draws what lies over the screen. Each is fetched when it is first opened. */
export function Overlays({ open, onClose }: { open: Overlay | null; onClose: () => void }) {
  const isConnect = open === 'connect' || open === 'test-call'
  const isHangUp = typeof open === 'object' && open !== null
  const palette = usePart('palette', () => import('./palette/Palette.tsx'), open === 'palette')
  const connect = usePart('connect', () => import('./connect/ConnectDialog.tsx'), isConnect)
  const hangUp = usePart('hang-up', () => import('./live/HangUpOwn.tsx'), isHangUp)
  const wanted = isConnect ? connect : isHangUp ? hangUp : palette
  const hasFailed = open !== null && wanted.isError && !wanted.isFetching

  useEffect(() => {
    if (!hasFailed) return
    toast.error('This could not be loaded. Please try again.')
    onClose()
  }, [hasFailed, onClose])

  if (open === 'palette' && palette.data) return <palette.data.Palette onClose={onClose} />
  if (isConnect && connect.data)
    return <connect.data.ConnectDialog isTestCall={open === 'test-call'} onClose={onClose} />
  if (isHangUp && hangUp.data) return <hangUp.data.HangUpOwn uniqueid={open.hangUp} onClose={onClose} />
  return null
}
