import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from '../ui/toast.ts'

/**
 * Code that is fetched when it is wanted. What cannot be fetched is a failure of that part alone, with a retry, and is
 * fetched by itself when the server is back; `lazy` would take the whole screen down.
 */
export const usePart = <Part>(name: string, load: () => Promise<Part>, isWanted = true) =>
  useQuery({
    queryKey: ['part', name],
    queryFn: load,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    // A module is what it is: it cannot be merged with an older one.
    structuralSharing: false,
  })

/** A part that was wanted and cannot be fetched is not waited for: that is said, and whoever wanted it goes on. */
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
