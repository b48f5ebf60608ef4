import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Field } from '../../../ui/Field.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { flowsQuery } from '../../flow-queries.ts'
import type { DestinationProps } from './fields.ts'

/** One of the published flows. */
export function FlowFields({ values: { flowId }, path, errors, onEdit }: DestinationProps) {
  const { data: flows } = useQuery(flowsQuery)
  const published = flows?.filter(({ published_version }) => published_version !== null)
  const chosen = flows?.find(({ id }) => String(id) === flowId)
  const isListed = published?.some(({ id }) => String(id) === flowId)
  return (
    <div className="flex flex-col gap-4">
      {published?.length === 0 && (
        <Notice tone="pending">
          You have no published flow.{' '}
          <Link to="/dashboard/flows" className="font-medium underline">
            Create and publish one
          </Link>{' '}
          first.
        </Notice>
      )}
      <Field
        label="Flow"
        className="sm:max-w-72"
        error={
          errors[`${path}.flowId`] ??
          (flows && flowId !== '' && !isListed ? 'This flow is not published.' : undefined)
        }
        hint={
          chosen ? (
            <Link
              to="/dashboard/flows/$id"
              params={{ id: flowId }}
              className="underline underline-offset-4 hover:text-ink"
            >
              Open this flow
            </Link>
          ) : (
            <Link to="/dashboard/flows" className="underline underline-offset-4 hover:text-ink">
              Create a flow
            </Link>
          )
        }
      >
        <Select
          name={`${path}.flowId`}
          value={flowId}
          onChange={({ target }) => onEdit({ flowId: target.value })}
        >
          <option value="">Choose a flow</option>
          {flowId !== '' && !isListed && <option value={flowId}>{chosen?.name ?? `Flow ${flowId}`}</option>}
          <Options of={published?.map(({ id, name }) => [id, name])} />
        </Select>
      </Field>
    </div>
  )
}
