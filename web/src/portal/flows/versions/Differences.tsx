import { useQuery } from '@tanstack/react-query'
import { difference, type Flow, type FlowChange } from '@trunkline/domain/flows'
import { Minus, Pencil, Play, Plus } from 'lucide-react'
import { soundsQuery } from '../queries.ts'

/** What changed from one version to the other. Positions on the canvas do not count. */
export function Differences({ from, to }: { from: Flow; to: Flow }) {
  const { data: sounds } = useQuery(soundsQuery)
  const changes = difference(from, to, new Map(sounds?.map(({ id, name }) => [id, name])))
  if (changes.length === 0) return <p className="text-muted text-sm">Callers will not notice any change.</p>
  return (
    <ul aria-label="Differences" className="flex flex-col gap-3 text-sm">
      {changes.map((change) => (
        <Change key={change.type === 'start' ? 'start' : `${change.type} ${change.stepId}`} change={change} />
      ))}
    </ul>
  )
}

const looks = {
  start: { icon: Play, color: 'text-pending' },
  added: { icon: Plus, color: 'text-success' },
  removed: { icon: Minus, color: 'text-danger' },
  changed: { icon: Pencil, color: 'text-pending' },
}

function Change({ change }: { change: FlowChange }) {
  const { icon: Icon, color } = looks[change.type]
  return (
    <li className="flex gap-2.5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1">
        <p className="break-words font-medium">{titleOf(change)}</p>
        {change.type === 'changed' && (
          <dl className="mt-1 flex flex-col gap-1">
            {change.changes.map(({ field, before, after }) => (
              <div key={field}>
                <dt className="text-muted">{field}</dt>
                <dd className="break-words">
                  <del className="text-muted">{before}</del> → <ins className="no-underline">{after}</ins>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}

function titleOf(change: FlowChange): string {
  switch (change.type) {
    case 'start':
      return `Calls start with “${change.after}” instead of “${change.before}”`
    case 'added':
      return `“${change.name}” was added`
    case 'removed':
      return `“${change.name}” was removed`
    case 'changed':
      return change.name
  }
}
