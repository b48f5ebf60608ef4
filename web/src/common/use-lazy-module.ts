import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { toast } from '../ui/toast.ts'

/** Addresses of modules that could not be loaded, and how often that was tried. */
const failures = new Map<string, { address: string; tries: number }>()

/** Chrome and Firefox name the address. */
const addressIn = (error: unknown): string | undefined => /https?:\S+\.js/.exec(String(error))?.[0]

/** Some browsers keep a failed module until the page is reloaded, so the next try uses another address. */
async function loadOrRetry<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  const failure = failures.get(name)
  if (failure) return import(/* @vite-ignore */ `${failure.address}?try=${++failure.tries}`)
  try {
    return await load()
  } catch (error) {
    const address = addressIn(error)
    if (address !== undefined) failures.set(name, { address, tries: 0 })
    throw error
  }
}

/** Loads code on demand. Unlike `lazy`, a failure affects only this module, and the next use retries it. */
export const useLazyModule = <Module>(name: string, load: () => Promise<Module>, isWanted = true) =>
  useQuery({
    queryKey: ['module', name],
    queryFn: () => loadOrRetry(name, load),
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
