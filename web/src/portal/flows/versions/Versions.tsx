import { useQuery } from '@tanstack/react-query'
import type { FlowDetail, FlowVersion } from '@trunkline/contract/flows'
import type { Flow } from '@trunkline/domain/flows'
import { useState } from 'react'
import { Loaded } from '../../../common/Loaded.tsx'
import { Moment } from '../../../common/Moment.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Drawer } from '../../../ui/Drawer.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { toast } from '../../../ui/toast.ts'
import { versionsQuery } from '../queries.ts'
import type { Editor } from '../use-editor.ts'
import { Differences } from './Differences.tsx'

type VersionsProps = { saved: FlowDetail; editor: Editor; onClose: () => void }

/** The published versions: compare two, or go back to one. */
export function Versions({ saved, editor, onClose }: VersionsProps) {
  const query = useQuery(versionsQuery(saved.id))
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
                    onLoad={() => {
                      editor.edit(() => version.flow)
                      toast.success(`Version ${version.number} is now the draft. Save or publish it.`)
                      onClose()
                    }}
                  />
                ))}
              </ul>
              <Compare versions={versions} draft={editor.flow} />
            </div>
          )
        }
      </Loaded>
    </Drawer>
  )
}

type VersionRowProps = { version: FlowVersion; isCurrent: boolean; onLoad: () => void }

const VersionRow = ({ version, isCurrent, onLoad }: VersionRowProps) => (
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
    <Button size="sm" aria-label={`Go back to version ${version.number}`} onClick={onLoad}>
      Go back
    </Button>
  </li>
)

const DRAFT = 'draft'

function Compare({ versions, draft }: { versions: readonly FlowVersion[]; draft: Flow }) {
  const newest = String(versions[0]?.number)
  const [from, setFrom] = useState(newest)
  const [to, setTo] = useState(DRAFT)
  const flowOf = (choice: string): Flow =>
    versions.find(({ number }) => String(number) === choice)?.flow ?? draft
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
      <Differences from={flowOf(from)} to={flowOf(to)} />
    </section>
  )
}
