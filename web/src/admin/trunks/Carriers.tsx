import { useQuery } from '@tanstack/react-query'
import type { Trunk } from '@trunkline/contract/trunks'
import { useState } from 'react'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { formatCount } from '../../common/format/numbers.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { DeleteTrunk } from './DeleteTrunk.tsx'
import { LoadingRows } from './OpeningRow.tsx'
import { figuresQuery, trunksQuery } from './queries.ts'
import { TrunkForm } from './TrunkForm.tsx'
import { TrunkHeads, TrunkRow } from './TrunkRow.tsx'
import { stateOf } from './trunk-words.ts'

type Opened = { kind: 'form'; trunk: Trunk | null } | { kind: 'delete'; trunk: Trunk } | null

export function Carriers({ wanted }: { wanted: string }) {
  const { data: trunks, error, isPending, refetch } = useQuery(trunksQuery)
  const figures = useQuery(figuresQuery).data
  const [typed, setTyped] = useState(wanted)
  const [opened, setOpened] = useState<Opened>(null)
  const found = (trunks ?? []).filter((trunk) => matches(trunk, typed))
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchInput
          label="Search carriers"
          placeholder="Search carriers"
          className="w-full sm:max-w-xs short:max-lg:max-w-48"
          value={typed}
          onValueChange={setTyped}
        />
        <p role="status" className="figures text-muted text-sm">
          {trunks && summaryOf(trunks, found.length, typed)}
        </p>
        <AddButton
          variant="primary"
          className="ml-auto max-sm:w-full"
          onClick={() => setOpened({ kind: 'form', trunk: null })}
        >
          Add trunk
        </AddButton>
      </div>
      {isPending ? (
        <LoadingRows rows={8} parts={['w-48', 'w-40 max-md:hidden', 'ml-auto w-24']} />
      ) : !trunks ? (
        <Failure onRetry={() => void refetch()}>{explain(error, 'The trunks could not be loaded.')}</Failure>
      ) : found.length === 0 ? (
        <Card>
          <EmptyState
            title={trunks.length === 0 ? 'No carriers yet' : `No results for “${typed.trim()}”`}
            text={
              trunks.length === 0
                ? 'Add a carrier gateway, then choose the plans it serves.'
                : 'Search by name, provider, host, country or plan.'
            }
            action={typed !== '' && <Button onClick={() => setTyped('')}>Show all carriers</Button>}
          />
        </Card>
      ) : (
        <Card className="overflow-hidden p-0">
          <TrunkHeads />
          <ul className="divide-y" aria-label="Carriers">
            {found.map((trunk) => (
              <TrunkRow
                key={trunk.id}
                trunk={trunk}
                figures={figures?.[trunk.id]}
                isOnly={found.length === 1}
                onEdit={() => setOpened({ kind: 'form', trunk })}
                onDelete={() => setOpened({ kind: 'delete', trunk })}
              />
            ))}
          </ul>
        </Card>
      )}
      {opened?.kind === 'form' && <TrunkForm trunk={opened.trunk} onClose={() => setOpened(null)} />}
      {opened?.kind === 'delete' && <DeleteTrunk trunk={opened.trunk} onClose={() => setOpened(null)} />}
    </>
  )
}

function matches({ name, provider, host = '', country, plans = [] }: Trunk, typed: string): boolean {
  const wanted = typed.trim().toLowerCase()
  return [name, provider, host, country, ...plans].some((text) => text.toLowerCase().includes(wanted))
}

function summaryOf(trunks: readonly Trunk[], found: number, typed: string): string {
  if (typed.trim() !== '') return `${found} of ${formatCount(trunks.length, 'carrier')}`
  const down = trunks.filter((trunk) => stateOf(trunk).lamp === 'danger').length
  const used = trunks.reduce((sum, trunk) => sum + trunk.used, 0)
  return [formatCount(trunks.length, 'carrier'), formatCount(used, 'live call'), down > 0 && `${down} down`]
    .filter(Boolean)
    .join(' · ')
}
