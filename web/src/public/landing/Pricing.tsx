import { Link } from '@tanstack/react-router'
import { Badge } from '../../ui/Badge.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Section } from './Section.tsx'

type Plan = {
  name: string
  price: string
  per?: string
  minutes: string
  /** Length of the decorative line, in percent of the card. */
  reach: number
  isPopular?: boolean
}

const plans: Plan[] = [
  { name: 'Starter', price: '$29', per: '/month', minutes: 'Up to 1,000 minutes', reach: 18 },
  {
    name: 'Professional',
    price: '$99',
    per: '/month',
    minutes: 'Up to 10,000 minutes',
    reach: 66,
    isPopular: true,
  },
  { name: 'Enterprise', price: 'Custom', minutes: 'Unlimited minutes', reach: 100 },
]

export function Pricing() {
  return (
    <Section
      id="pricing"
      name="Pricing"
      title="Three plans. Pay for the minutes you need."
      text={
        <>
          Choose a plan by call volume. For a custom price,{' '}
          <a
            href="#contact"
            className="rounded-sm text-ink underline decoration-edge underline-offset-4 hover:decoration-current"
          >
            contact us
          </a>
          .
        </>
      }
    >
      <ul className="grid gap-4 lg:grid-cols-3">
        {plans.map((plan) => (
          <PlanCard key={plan.name} plan={plan} />
        ))}
      </ul>
    </Section>
  )
}

function PlanCard({ plan }: { plan: Plan }) {
  const headingId = `plan-${plan.name.toLowerCase()}`
  return (
    <li
      className={cx(
        'flex flex-col overflow-hidden rounded-xl border p-6 sm:p-8',
        plan.isPopular ? 'border-signal-edge bg-raised shadow-far' : 'bg-surface',
      )}
    >
      <div className="flex min-h-7 items-center justify-between gap-3">
        <h3 id={headingId} className="font-semibold text-lg tracking-tight">
          {plan.name}
        </h3>
        {plan.isPopular && <Badge tone="signal">Most Popular</Badge>}
      </div>
      <p className="mt-6 flex items-baseline gap-2">
        <span className="font-medium text-5xl tracking-[-0.04em] figures">{plan.price}</span>
        {plan.per && <span className="text-lg text-muted">{plan.per}</span>}
      </p>
      <ReachLine reach={plan.reach} />
      <p className="font-medium text-lg figures">{plan.minutes}</p>
      <Link
        to="/login"
        search={{ tab: 'sign-up' }}
        aria-describedby={headingId}
        className={cx(
          buttonClass({ variant: plan.isPopular ? 'primary' : 'secondary', size: 'lg' }),
          'mt-8 w-full',
        )}
      >
        Get Started
      </Link>
    </li>
  )
}

/** Shows the minutes of the plan as a line; the unlimited plan fills the card. */
function ReachLine({ reach }: { reach: number }) {
  const isEndless = reach >= 100
  return (
    <div aria-hidden className="-mx-6 sm:-mx-8 relative my-7 h-4">
      <span className="absolute top-1/2 h-px w-full bg-line" />
      <span
        className="-translate-y-1/2 absolute top-1/2 h-[3px] bg-signal outline-1 outline-signal-edge/60"
        style={{ width: `${reach}%` }}
      />
      {!isEndless && (
        <span
          className="-translate-1/2 absolute top-1/2 size-3 rounded-full border border-signal-edge bg-signal"
          style={{ left: `${reach}%` }}
        />
      )}
    </div>
  )
}
