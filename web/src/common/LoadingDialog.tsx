import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { explain } from '../app/api.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Failure } from './Failure.tsx'

type LoadingDialogProps = {
  query: Pick<UseQueryResult, 'error' | 'refetch'>
  /** The error message if the server gave none. */
  failed: string
  title: string
  description?: ReactNode
  maxWidth?: number
  onClose: () => void
}

/** In place of a form dialog until its values are loaded. */
export const LoadingDialog = ({
  query: { error, refetch },
  failed,
  onClose,
  ...rest
}: LoadingDialogProps) => (
  <Dialog open onOpenChange={onClose} {...rest}>
    {error ? (
      <Failure onRetry={() => void refetch()}>{explain(error, failed)}</Failure>
    ) : (
      <div aria-busy="true" className="flex flex-col gap-5">
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} className="h-10 w-full" />
        ))}
      </div>
    )}
  </Dialog>
)
