import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** What could not be loaded, and the way to try once more. */
export const Failure = ({ onRetry, children }: { onRetry: () => void; children: ReactNode }) => (
  <Notice tone="danger">
    <p>{children}</p>
    <Button size="sm" className="mt-2.5" onClick={onRetry}>
      Try again
    </Button>
  </Notice>
)
