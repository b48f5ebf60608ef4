import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { toast } from '../ui/toast.ts'

/** Loads code on demand. Unlike `lazy`, a failure affects only this module, and the next use retries it. */
export const useLazyModule = <Module>(name: string, load: () => Promise<Module>, isWanted = true) =>
  useQuery({
    queryKey: ['module', name],
    queryFn: load,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    // Modules cannot be merged.
    structuralSharing: false,
  })

/** Shows an error and calls `onFailure` when a module cannot be loaded. */
export function useLoadFailure(
  { isError, isFetching }: Pick<UseQueryResult, 'isError' | 'isFetching'>,
  isWanted: boolean,
  onFailure: () => void,
): void {
  const hasFailed = isWanted && isError && !isFetching
  const fail = useEffectEvent(() => {
    toast.error('This could not be loaded. Please try again.')
    onFailure()
  })
  useEffect(() => {
    if (hasFailed) fail()
  }, [hasFailed])
}
