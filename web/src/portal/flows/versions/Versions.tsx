import { useMutation, useQuery } from '@tanstack/react-query'
import type { FlowDetail, VersionSummary } from '@trunkline/contract/flows'
import type { Flow } from '@trunkline/domain/flows'
import { type ReactNode, useState } from 'react'
import { explain } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { Moment } from '../../../common/Moment.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Drawer } from '../../../ui/Drawer.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { toast } from '../../../ui/toast.ts'
import { versionQuery, versionsQuery } from '../queries.ts'
import type { Editor } from '../use-editor.ts'
import { Differences } from './Differences.tsx'

type VersionsProps = { saved: FlowDetail; editor: Editor; onClose: () => void }

/** The published versions: compare two, or go back to one. */
export function Versions({ saved, editor, onClose }: VersionsProps) {
  const query = useQuery(versionsQuery(saved.id))
  const back = useMutation({
    mutationFn: (number: number) => queryClient.fetchQuery(versionQuery(saved.id, number)),
    onError: (error) => toast.error(explain(error, FAILED)),
  })
  // Not after the drawer was closed, and only for the last click.
  const goBack = (number: number) =>
    back.mutate(number, {
      onSuccess: ({ flow }) => {
        editor.edit(() => flow)
        toast.success(`Version ${number} is now the draft. Save or publish it.`)
        onClose()
      },
    })
  return (
    <Drawer
      open
      onOpenChange={onClose}
      title="Versions"
      description="Each time you publish, a version is kept."
    >
      <Loaded query={query} failed="The versions could not be loaded.">
        {(versions) =>
          versions.length === 0 ? (
            <EmptyState title="No versions yet" text="Publish the flow to create the first one." />
          ) : (
            <div className="flex flex-col gap-8">
              <ul aria-label="Published versions" className="divide-y rounded-lg border">
                {versions.map((version) => (
                  <VersionRow
                    key={version.number}
                    version={version}
                    isCurrent={version.number === saved.published_version}
                    isLoading={back.isPending && back.variables === version.number}
                    onLoad={() => goBack(version.number)}
                  />
                ))}
              </ul>
              <Compare flowId={saved.id} versions={versions} draft={editor.flow} />
            </div>
          )
        }
      </Loaded>
    </Drawer>
  )
}

type VersionRowProps = { version: VersionSummary; isCurrent: boolean; isLoading: boolean; onLoad: () => void }

const VersionRow = ({ version, isCurrent, isLoading, onLoad }: VersionRowProps) => (
  <li aria-label={`Version ${version.number}`} className="flex items-start justify-between gap-4 px-4 py-3">
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">Version {version.number}</span>
        {isCurrent && <Badge tone="success">Published</Badge>}
      </p>
      {version.note && <p className="mt-0.5 break-words text-sm">{version.note}</p>}
      <p className="figures mt-0.5 text-muted text-sm">
        <Moment at={version.published_at} /> by {version.published_by}
      </p>
    </div>
    <Button size="sm" aria-label={`Go back to version ${version.number}`} busy={isLoading} onClick={onLoad}>
      Go back
    </Button>
  </li>
)

const FAILED = 'The version could not be loaded.'
const DRAFT = 'draft'

type CompareProps = { flowId: number; versions: readonly VersionSummary[]; draft: Flow }

function Compare({ flowId, versions, draft }: CompareProps) {
  const newest = String(versions[0]?.number)
  const [from, setFrom] = useState(newest)
  const [to, setTo] = useState(DRAFT)
  const options = (
    <>
      <option value={DRAFT}>Draft</option>
      <Options of={versions.map(({ number }) => [number, `Version ${number}`])} />
    </>
  )
  return (
    <section aria-label="Compare">
      <h3 className="mb-3 font-semibold">Compare</h3>
      <div className="mb-4 grid grid-cols-2 gap-3">
        <Field label="From">
          <Select value={from} onChange={({ target }) => setFrom(target.value)}>
            {options}
          </Select>
        </Field>
        <Field label="To">
          <Select value={to} onChange={({ target }) => setTo(target.value)}>
            {options}
          </Select>
        </Field>
      </div>
      <WithFlow flowId={flowId} choice={from} draft={draft}>
        {(before) => (
          <WithFlow flowId={flowId} choice={to} draft={draft}>
            {(after) => <Differences from={before} to={after} />}
          </WithFlow>
        )}
      </WithFlow>
    </section>
  )
}

type WithFlowProps = { flowId: number; choice: string; draft: Flow; children: (flow: Flow) => ReactNode }

/** The draft, or a version as soon as it is loaded. */
function WithFlow({ flowId, choice, draft, children }: WithFlowProps) {
  const query = useQuery({ ...versionQuery(flowId, Number(choice)), enabled: choice !== DRAFT })
  if (choice === DRAFT) return children(draft)
  return (
    <Loaded query={query} failed={FAILED}>
      {({ flow }) => children(flow)}
    </Loaded>
  )
}
