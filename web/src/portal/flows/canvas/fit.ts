import type { FitViewOptions } from '@xyflow/react'
import { PANEL_SPACE } from '../panel/SidePanel.tsx'

/** Shows all steps beside the buttons and the panel, but not smaller than one can read. */
export const fitOptions = (isCovered: boolean): FitViewOptions => ({
  padding: { top: '72px', bottom: '64px', left: '40px', right: isCovered ? `${PANEL_SPACE + 24}px` : '40px' },
  minZoom: 0.55,
  maxZoom: 1,
})
