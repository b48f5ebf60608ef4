import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '../ui/Card.tsx'
import { Loaded } from './Loaded.tsx'

type ListCardProps<Data> = {
  label: string
  query: Pick<
    UseQueryResult<Data>,
    'data' | 'error' | 'isError' | 'isPending' | 'isPlaceholderData' | 'refetch'
  >
  /** The error message if the server gave none. */
  failed: string
  waiting: ReactNode
  /** Shown above the list in every state. */
  heading?: ReactNode
  children: (data: Data) => ReactNode
}

/** A card with a list that has no padding. */
export const ListCard = <Data,>({ label, query, heading, ...rest }: ListCardProps<Data>) => (
  <Card aria-label={label} className="p-0" aria-busy={query.isPending || query.isPlaceholderData}>
    {heading}
    <Loaded query={query} className="m-5" {...rest} />
  </Card>
)
