import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { CsvButton } from '../../common/CsvButton.tsx'
import { viewersZone } from '../../common/format/viewer.ts'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { StatementView } from '../../common/statement/StatementView.tsx'
import { filtersOf, readStatementSearch, selectionOf } from '../../common/statement/search.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { lineDetails } from './LineDetails.tsx'
import { statementQuery } from './queries.ts'

export function Statement() {
  const search = readStatementSearch(useSearch({ from: '/customer-gate/dashboard/statement' }))
  const navigate = useNavigate({ from: '/dashboard/statement' })
  const selection = selectionOf(search)
  const page = useQuery(statementQuery(selection, search.before))
  return (
    <>
      <ScreenTitle
        title="Account statement"
        text="Every change of your balance, with the balance after it."
      />
      <StatementView
        query={page}
        search={search}
        onGo={(next, replace) => void navigate({ to: '.', search: next, replace, resetScroll: false })}
        detailsOf={lineDetails}
        actions={
          <Link to="/dashboard/topup" className={buttonClass({ variant: 'primary' })}>
            Top Up
          </Link>
        }
        exporting={
          <CsvButton
            of="transactions"
            address="GET /api/statement.csv"
            query={{ ...filtersOf(selection), timezone: viewersZone() }}
            fileName="statement.csv"
          />
        }
      />
    </>
  )
}
