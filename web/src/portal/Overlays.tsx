import { useLazyModule, useLoadFailure } from '../common/use-lazy-module.ts'
import { useTypedAhead } from '../common/use-typed-ahead.ts'
import type { Overlay } from './overlay.ts'

/** Renders the open overlay. Its code is loaded on first use. */
export function Overlays({ open, onClose }: { open: Overlay | null; onClose: () => void }) {
  const isConnect = open === 'connect' || open === 'test-call'
  const isHangUp = typeof open === 'object' && open !== null
  const palette = useLazyModule('palette', () => import('./palette/Palette.tsx'), open === 'palette')
  const connect = useLazyModule('connect', () => import('./connect/ConnectDialog.tsx'), isConnect)
  const hangUp = useLazyModule('hang-up', () => import('./live/HangUpOwn.tsx'), isHangUp)
  const wanted = isConnect ? connect : isHangUp ? hangUp : palette
  const typed = useTypedAhead(open === 'palette', palette.data !== undefined, onClose)
  useLoadFailure(wanted, open !== null, onClose)

  if (open === 'palette' && palette.data) return <palette.data.Palette typed={typed} onClose={onClose} />
  if (isConnect && connect.data)
    return <connect.data.ConnectDialog isTestCall={open === 'test-call'} onClose={onClose} />
  if (isHangUp && hangUp.data) return <hangUp.data.HangUpOwn uniqueid={open.hangUp} onClose={onClose} />
  return null
}
