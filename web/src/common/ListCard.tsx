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
  /** What to say when it cannot be loaded and the server gave no reason. */
  failed: string
  waiting: ReactNode
  /** Stands above the list, whatever became of it. */
  heading?: ReactNode
  children: (data: Data) => ReactNode
}

/** A list that reaches to the edges of its card. */
export const ListCard = <Data,>({ label, query, heading, ...rest }: ListCardProps<Data>) => (
  <Card aria-label={label} className="p-0" aria-busy={query.isPending || query.isPlaceholderData}>
    {heading}
    <Loaded query={query} className="m-5" {...rest} />
  </Card>
)
