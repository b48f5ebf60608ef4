import { useQuery } from '@tanstack/react-query'
import { type Flow, type FlowProblem, phoneDigits, problemsOf } from '@trunkline/domain/flows'
import { useMemo } from 'react'
import { useRested } from '../../common/use-rested.ts'
import { addressesQuery, trustedIn } from '../connect/queries.ts'
import { checkQuery, soundsQuery } from './queries.ts'

/** The problems of a flow, with what is known about the account. */
export function useProblems(flow: Flow): readonly FlowProblem[] {
  const { data: sounds } = useQuery(soundsQuery)
  const { data: addresses } = useQuery(addressesQuery)
  const { data: check } = useQuery(checkQuery(useRested(forwardNumbers(flow))))
  return useMemo(
    () =>
      problemsOf(flow, {
        ...(sounds && { soundIds: sounds.map(({ id }) => id) }),
        ...(addresses && { trustedAddresses: trustedIn(addresses) }),
        ...(check && {
          hasRoute: (number) => !check.unreachable.includes(number),
          hasBalance: (number) => !check.unpaid.includes(number),
          canRecord: check.can_record,
        }),
      }),
    [flow, sounds, addresses, check],
  )
}

/** The numbers of forward steps, separated by commas. */
function forwardNumbers({ steps }: Flow): string {
  const numbers = steps.flatMap((step) => (step.kind === 'forward' ? (phoneDigits(step.number) ?? []) : []))
  return [...new Set(numbers)].toSorted().join(',')
}
