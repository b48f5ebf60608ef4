import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

type FailureProps = { onRetry: () => void; className?: string | undefined; children: ReactNode }

/** An error with a retry button. */
export const Failure = ({ onRetry, className, children }: FailureProps) => (
  <Notice tone="danger" className={className}>
    <p>{children}</p>
    <Button size="sm" className="mt-2.5" onClick={onRetry}>
      Try again
    </Button>
  </Notice>
)
