import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { ExamplePanel } from './ExamplePanel.tsx'
import { page } from './sections.ts'

const stats = [
  { figure: '99.9%', name: 'uptime' },
  { figure: '50M+', name: 'calls' },
  { figure: '24/7', name: 'support' },
]

export function Hero({ onScheduleDemo }: { onScheduleDemo: () => void }) {
  return (
    <section id="home" aria-label="Home" className="overflow-x-clip">
      <div
        className={cx(
          page,
          'grid items-center gap-x-16 gap-y-14 pt-14 pb-16 sm:pt-20 lg:grid-cols-2 lg:pt-16 min-[112rem]:pt-24 min-[112rem]:pb-24',
        )}
      >
        <div className="min-w-0">
          <p className="font-medium text-signal-ink">VoIP, SIP trunks and IVR</p>
          <h1 className="mt-4 font-semibold text-[2.5rem] leading-[1.04] tracking-[-0.035em] sm:text-5xl xl:text-[3.75rem] min-[112rem]:text-[4.75rem]">
            See every call. <br />
            Control every route.
          </h1>
          <p className="mt-6 max-w-[34rem] text-lg text-muted min-[112rem]:text-xl">
            Track calls as they happen, pick the route and the price for each country, and decide which caller
            ID people see. One panel for all your voice traffic.
          </p>
          <div className="mt-9 flex flex-wrap gap-3">
            <Link
              to="/login"
              search={{ tab: 'sign-up' }}
              className={cx(buttonClass({ variant: 'primary', size: 'lg' }), 'max-sm:w-full')}
            >
              Get Started Free
            </Link>
            <Button size="lg" onClick={onScheduleDemo} className="max-sm:w-full">
              Schedule Demo
            </Button>
          </div>
        </div>
        <ExamplePanel className="min-w-0" />
      </div>

      <dl className={cx(page, 'grid grid-cols-3')}>
        {stats.map(({ figure, name }) => (
          <div
            key={name}
            className="flex flex-col-reverse gap-1 border-y py-6 pr-2 not-first:border-l not-first:pl-4 sm:py-8 sm:not-first:pl-8"
          >
            <dt className="text-muted text-sm sm:text-base">{name}</dt>
            <dd className="font-medium text-[1.75rem] leading-none tracking-tight figures sm:text-5xl">
              {figure}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
