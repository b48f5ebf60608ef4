import { useQuery } from '@tanstack/react-query'

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
