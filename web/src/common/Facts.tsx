import { TextWithPhoneNumbers } from './PhoneNumber.tsx'

/** Names and values, one to a row. */
export function Facts({ facts, mono = false }: { facts: [name: string, value: string][]; mono?: boolean }) {
  return (
    <dl className="divide-y">
      {facts.map(([name, value]) => (
        <div key={name} className="flex items-baseline justify-between gap-6 py-2.5">
          <dt className="shrink-0 text-muted text-sm">{name}</dt>
          <dd className={`min-w-0 break-words text-right ${mono ? 'font-mono text-sm' : ''}`}>
            <TextWithPhoneNumbers text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Omits empty values. */
export const known = (
  facts: readonly (readonly [name: string, value: string | number | null])[],
): [name: string, value: string][] =>
  facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, String(value)]]))
