import { useQuery } from '@tanstack/react-query'
import { type Flow, type FlowProblem, problemsOf } from '@trunkline/domain/flows'
import { useMemo } from 'react'
import { addressesQuery, trustedIn } from '../connect/queries.ts'
import { soundsQuery } from './queries.ts'

/** The problems of a flow, with what is known about the account. The server also checks routes and the balance. */
export function useProblems(flow: Flow): readonly FlowProblem[] {
  const { data: sounds } = useQuery(soundsQuery)
  const { data: addresses } = useQuery(addressesQuery)
  return useMemo(
    () =>
      problemsOf(flow, {
        ...(sounds && { soundIds: sounds.map(({ id }) => id) }),
        ...(addresses && { trustedAddresses: trustedIn(addresses) }),
      }),
    [flow, sounds, addresses],
  )
}
