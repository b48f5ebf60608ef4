import { createContext, use } from 'react'
import type { ShowOverlay } from '../common/use-overlay-state.ts'

/** What may lie over any screen of the customer area. */
export type Overlay = 'palette' | 'connect' | 'test-call' | { hangUp: string }

export const OverlayContext = createContext<ShowOverlay<Overlay>>(() => {})

/** Opens one, or closes whichever is open. */
export const useOverlay = () => use(OverlayContext)
