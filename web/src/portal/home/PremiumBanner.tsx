import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/Button.tsx'
import { TrunkLine } from '../../ui/TrunkLine.tsx'

const lamps = [
  { lit: 'off' },
  { lit: 'off' },
  { lit: 'signal' },
  { lit: 'signal' },
  { lit: 'signal' },
] as const

export function PremiumBanner() {
  return (
    <section aria-label="Premium" className="card overflow-hidden p-0">
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 p-5 sm:p-6">
        <div className="min-w-0">
          <h2 className="font-semibold text-lg tracking-tight">Go premium</h2>
          <p className="mt-0.5 text-muted">
            Unlock advanced features, unlimited trunks and priority support.
          </p>
        </div>
        <Link to="/dashboard/upgrade" className={buttonClass()}>
          Upgrade Now
        </Link>
      </div>
      <TrunkLine lamps={lamps} className="-mt-1 pb-4" />
    </section>
  )
}
