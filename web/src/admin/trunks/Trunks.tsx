import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { AudioLines, FileSpreadsheet, Hash, Percent, Route } from 'lucide-react'
import { buttonClass } from '../../ui/Button.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Carriers } from './Carriers.tsx'
import { EmergencyRoute } from './EmergencyRoute.tsx'
import { FailoverOrder } from './FailoverOrder.tsx'
import { Plans } from './Plans.tsx'
import { Rates } from './Rates.tsx'
import { readSearch, type TrunksSearch, type View } from './search.ts'
import { TryNumber } from './TryNumber.tsx'

const titles: Record<View, string> = {
  carriers: 'Carriers',
  order: 'Failover order',
  plans: 'Plans',
  rates: 'Rates',
}

const links = [
  { to: '/admin-panal/trunks/numbers', icon: Hash, label: 'Numbers' },
  { to: '/admin-panal/trunks/pricing', icon: Percent, label: 'Bulk pricing' },
  { to: '/admin-panal/trunks/routing', icon: Route, label: 'Routing rules' },
  { to: '/admin-panal/trunks/invoices', icon: FileSpreadsheet, label: 'Carrier invoices' },
  { to: '/admin-panal/trunks/prompts', icon: AudioLines, label: 'System prompts' },
] as const

export function Trunks() {
  const search = readSearch(useSearch({ from: '/admin-gate/admin-panal/trunks' }))
  const navigate = useNavigate({ from: '/admin-panal/trunks' })
  const go = (next: TrunksSearch, replace = false) =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })
  return (
    <Tabs value={search.view} onValueChange={(view) => go({ view })}>
      <div className="flex flex-wrap items-center gap-x-6 border-b">
        <h1 className="font-semibold text-2xl tracking-tight">Trunks &amp; Plans</h1>
        <TabList aria-label="Trunks and plans" className="-mb-px border-b-0">
          {Object.entries(titles).map(([view, title]) => (
            <Tab key={view} value={view}>
              {title}
            </Tab>
          ))}
        </TabList>
        <div className="my-1 flex flex-wrap gap-2 md:ml-auto">
          {links.map(({ to, icon: Icon, label }) => (
            <Link key={to} to={to} className={buttonClass({ size: 'sm' })}>
              <Icon aria-hidden />
              {label}
            </Link>
          ))}
        </div>
      </div>
      <TabPanel value="carriers">
        <Carriers key={search.carrier} wanted={search.carrier} />
      </TabPanel>
      <TabPanel value="order" className="flex flex-col gap-4 lg:gap-3 lg:pt-3">
        <TryNumber
          number={search.number}
          home={search.home}
          onTry={(number, home) => go({ ...search, number, home }, true)}
        />
        <FailoverOrder
          plan={search.plan}
          country={search.country}
          onChoose={(choice) => go({ ...search, ...choice }, true)}
        />
        <EmergencyRoute />
      </TabPanel>
      <TabPanel value="plans">
        <Plans />
      </TabPanel>
      <TabPanel value="rates">
        <Rates
          list={search.list}
          find={search.find}
          onChoose={(choice) => go({ view: 'rates', ...choice }, true)}
        />
      </TabPanel>
    </Tabs>
  )
}
