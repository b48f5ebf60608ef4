import { useLazyModule, useLoadFailure } from '../common/use-lazy-module.ts'
import { useTypedAhead } from '../common/use-typed-ahead.ts'
import type { Overlay } from './overlay.ts'

/** Each overlay is loaded when it is first opened. */
export function Overlays({ open, onClose }: { open: Overlay | null; onClose: () => void }) {
  const isHangUp = typeof open === 'object' && open !== null
  const palette = useLazyModule('admin-palette', () => import('./palette/Palette.tsx'), open === 'palette')
  const websiteIp = useLazyModule(
    'website-ip',
    () => import('./website-ip/WebsiteIpDialog.tsx'),
    open === 'website-ip',
  )
  const exports = useLazyModule('export', () => import('./export/ExportDialog.tsx'), open === 'export')
  const hangUp = useLazyModule('hang-up-any', () => import('./live/HangUpAny.tsx'), isHangUp)
  const wanted = isHangUp ? hangUp : open === 'website-ip' ? websiteIp : open === 'export' ? exports : palette
  const typed = useTypedAhead(open === 'palette', palette.data !== undefined, onClose)
  useLoadFailure(wanted, open !== null, onClose)

  if (open === 'palette' && palette.data) return <palette.data.Palette typed={typed} onClose={onClose} />
  if (open === 'website-ip' && websiteIp.data) return <websiteIp.data.WebsiteIpDialog onClose={onClose} />
  if (open === 'export' && exports.data) return <exports.data.ExportDialog onClose={onClose} />
  if (isHangUp && hangUp.data) return <hangUp.data.HangUpAny uniqueid={open.hangUp} onClose={onClose} />
  return null
}
