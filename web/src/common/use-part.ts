import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from '../ui/toast.ts'

/** Loads code on demand. Unlike `lazy`, a failure affects only this part and is retried. */
export const usePart = <Part>(name: string, load: () => Promise<Part>, isWanted = true) =>
  useQuery({
    queryKey: ['part', name],
    queryFn: load,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    // Modules cannot be merged.
    structuralSharing: false,
  })

/** Shows an error and calls `goOn` when a part cannot be loaded. */
export function useGivingUp(
  { isError, isFetching }: Pick<UseQueryResult, 'isError' | 'isFetching'>,
  isWanted: boolean,
  goOn: () => void,
): void {
  const hasFailed = isWanted && isError && !isFetching
  useEffect(() => {
    if (!hasFailed) return
    toast.error('This could not be loaded. Please try again.')
    goOn()
  }, [hasFailed, goOn])
}
