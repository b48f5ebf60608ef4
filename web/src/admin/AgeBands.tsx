import type { AgeCounts } from '@trunkline/contract/age-counts'
import { type AgeBand, ageBands, ageTerms } from '@trunkline/contract/ages'
import type { ReactElement, ReactNode } from 'react'
import { formatNumber } from '../common/format/numbers.ts'
import { cx } from '../ui/cx.ts'

/** Props of a link to the items of a band. */
export type BandLink = { className: string; 'aria-current': true | undefined; children: ReactNode }

type AgeBandsProps = {
  /** Accessible name. */
  label: string
  counts: AgeCounts | undefined
  chosen: AgeBand | undefined
  /** The link to a band, or for undefined to all items. */
  link: (band: AgeBand | undefined, props: BandLink) => ReactElement
  className?: string | undefined
}

/** How long open items have waited. Each band filters the list below; the chosen one links back to all items. */
export const AgeBands = ({ label, counts, chosen, link, className }: AgeBandsProps) => (
  <nav aria-label={label} className={className}>
    <ul className="flex flex-wrap gap-2">
      {ageBands.map((band) => {
        const isChosen = band === chosen
        const count = counts?.[band]
        const isLate = band === 'over_3d' && count !== undefined && count > 0
        return (
          <li key={band}>
            {link(isChosen ? undefined : band, {
              className: cx(
                'flex h-9 items-center gap-2 rounded-md border px-3 text-sm transition-colors hover:border-edge',
                isChosen ? 'border-signal-ink bg-signal-soft' : 'bg-raised',
              ),
              'aria-current': isChosen || undefined,
              children: (
                <>
                  {ageTerms[band].label}
                  <span
                    className={cx(
                      'figures font-semibold',
                      isLate ? 'text-danger' : count === 0 && 'text-muted',
                    )}
                  >
                    {count === undefined ? '…' : formatNumber(count)}
                  </span>
                </>
              ),
            })}
          </li>
        )
      })}
    </ul>
  </nav>
)
