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
          <Link to="/admin-panal/trunks/numbers" className={buttonClass({ size: 'sm' })}>
            <Hash aria-hidden />
            Numbers
          </Link>
          <Link to="/admin-panal/trunks/pricing" className={buttonClass({ size: 'sm' })}>
            <Percent aria-hidden />
            Bulk pricing
          </Link>
          <Link to="/admin-panal/trunks/routing" className={buttonClass({ size: 'sm' })}>
            <Route aria-hidden />
            Routing rules
          </Link>
          <Link to="/admin-panal/trunks/invoices" className={buttonClass({ size: 'sm' })}>
            <FileSpreadsheet aria-hidden />
            Carrier invoices
          </Link>
          <Link to="/admin-panal/trunks/prompts" className={buttonClass({ size: 'sm' })}>
            <AudioLines aria-hidden />
            System prompts
          </Link>
        </div>
      </div>
      <TabPanel value="carriers">
        <Carriers key={search.carrier} wanted={search.carrier} />
      </TabPanel>
      <TabPanel value="order" className="flex flex-col gap-4">
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
