import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { ApiError } from '../../app/api.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FlowEditor } from './FlowEditor.tsx'
import { flowQuery } from './queries.ts'

/** One flow. */
export function FlowPage() {
  const { id } = useParams({ from: '/customer-gate/dashboard/flows/$id' })
  const query = useQuery({ ...flowQuery(Number(id)), refetchOnWindowFocus: false })
  const isGone = query.error instanceof ApiError && query.error.code === 'not_found'
  if (query.data) return <FlowEditor key={query.data.id} saved={query.data} />
  return (
    <>
      <Link
        to="/dashboard/flows"
        className={cx(buttonClass({ variant: 'ghost', size: 'sm' }), '-mt-2 -ml-2 mb-1')}
      >
        <ArrowLeft aria-hidden />
        Flows
      </Link>
      {isGone ? (
        <Card>
          <EmptyState title="Flow not found" text="It was deleted, or it belongs to another account." />
        </Card>
      ) : (
        <Loaded query={query} failed="The flow could not be loaded.">
          {() => null}
        </Loaded>
      )}
    </>
  )
}
