import { createContext, use } from 'react'
import type { ShowOverlay } from '../common/use-overlay-state.ts'

/** What may lie over any screen of the panel. */
export type Overlay = 'palette' | 'website-ip' | 'export' | { hangUp: string }

export const OverlayContext = createContext<ShowOverlay<Overlay>>(() => {})

/** Opens one, or closes whichever is open. */
export const useOverlay = () => use(OverlayContext)
