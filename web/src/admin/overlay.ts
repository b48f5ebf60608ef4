import { createContext, use } from 'react'
import type { ShowOverlay } from '../common/use-overlay-state.ts'

/** Dialogs that can open above any screen of the panel. */
export type Overlay = 'palette' | 'website-ip' | 'export' | { hangUp: string }

export const OverlayContext = createContext<ShowOverlay<Overlay>>(() => {})

/** Opens an overlay; null closes it. */
export const useOverlay = () => use(OverlayContext)
