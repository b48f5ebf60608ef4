import { CopyButton } from '../../ui/CopyButton.tsx'
import { cx } from '../../ui/cx.ts'

export type CopyFact = readonly [name: string, value: string]

/** Names and values, each with a copy button. */
export function CopyFacts({ facts, className }: { facts: readonly CopyFact[]; className?: string }) {
  return (
    <dl className={cx('divide-y rounded-md border', className)}>
      {facts.map(([name, value]) => (
        <div key={name} className="flex min-h-11 items-center gap-4 px-3.5 py-1">
          <dt className="w-24 shrink-0 text-muted text-sm sm:w-44">{name}</dt>
          <dd className="flex min-w-0 flex-1 items-center gap-2">
            <span className="min-w-0 flex-1 break-all font-mono text-sm">{value}</span>
            <CopyButton isQuiet text={value} what={name.toLowerCase()} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
