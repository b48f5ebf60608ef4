import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { ApiError } from '../../app/api.ts'
import { BackLink } from '../../common/BackLink.tsx'
import { Loaded } from '../../common/Loaded.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Loading, Skeleton } from '../../ui/Skeleton.tsx'
import { FlowEditor } from './FlowEditor.tsx'
import { flowQuery } from './queries.ts'

/** One flow. */
export function FlowPage() {
  const { id } = useParams({ from: '/customer-gate/dashboard/flows/$id' })
  const query = useQuery({ ...flowQuery(Number(id)), refetchOnWindowFocus: false })
  const isGone = query.error instanceof ApiError && query.error.code === 'not_found'
  // A cached draft may be older than what another window has saved.
  if (query.data && query.isFetchedAfterMount && !isGone)
    return <FlowEditor key={query.data.id} opened={query.data} />
  return (
    <>
      <BackLink to="/dashboard/flows" className="-mt-2">
        Flows
      </BackLink>
      {isGone ? (
        <Card>
          <EmptyState
            icon={<Workflow />}
            title="Flow not found"
            text="It was deleted, or it belongs to another account."
            action={
              <Link to="/dashboard/flows" className={buttonClass()}>
                Open your flows
              </Link>
            }
          />
        </Card>
      ) : (
        <Loaded query={query} failed="The flow could not be loaded." waiting={<LoadingFlow />}>
          {() => <LoadingFlow />}
        </Loaded>
      )}
    </>
  )
}

/** In the shape of the editor: the toolbar and the canvas. */
const LoadingFlow = () => (
  <Loading>
    <div className="mb-3 flex justify-between gap-4">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-8 w-64 max-sm:hidden" />
    </div>
    <Skeleton className="h-[60dvh] w-full rounded-xl" />
  </Loading>
)
