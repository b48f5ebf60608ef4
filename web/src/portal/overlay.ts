import { createContext, use } from 'react'
import type { ShowOverlay } from '../common/use-overlay-state.ts'

/** The overlays of the customer area. */
export type Overlay = 'palette' | 'connect' | 'test-call' | { hangUp: string }

export const OverlayContext = createContext<ShowOverlay<Overlay>>(() => {})

/** Opens an overlay; null closes it. */
export const useOverlay = () => use(OverlayContext)
