import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CsvButton } from '../../common/CsvButton.tsx'
import { viewersZone } from '../../common/format/viewer.ts'
import { StatementView } from '../../common/statement/StatementView.tsx'
import { filtersOf, type StatementSearch, selectionOf } from '../../common/statement/search.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { rereadMoney } from '../reread-money.ts'
import { AdjustDialog } from './AdjustDialog.tsx'
import { lineDetails } from './LineDetails.tsx'
import { statementQuery } from './queries.ts'

type StatementProps = {
  userId: number
  search: StatementSearch
  onGo: (next: StatementSearch, replace?: boolean) => void
}

export function Statement({ userId, search, onGo }: StatementProps) {
  const selection = selectionOf(search)
  const page = useQuery(statementQuery(userId, selection, search.before))
  const [isAdjusting, setAdjusting] = useState(false)
  const { data } = page
  return (
    <>
      <StatementView
        query={page}
        search={search}
        onGo={onGo}
        detailsOf={lineDetails}
        actions={
          <>
            <Link
              to="/admin-panal/payments"
              search={{ user: userId }}
              className={buttonClass({ variant: 'ghost' })}
            >
              Payments
            </Link>
            <Button variant="primary" disabled={!data} onClick={() => setAdjusting(true)}>
              Adjust balance
            </Button>
          </>
        }
        exporting={
          <CsvButton
            of="movements"
            address="GET /api/admin/users/:id/statement.csv"
            params={{ id: userId }}
            query={{ ...filtersOf(selection), timezone: viewersZone() }}
            fileName="statement.csv"
          />
        }
      />
      {isAdjusting && data && (
        <AdjustDialog
          user={{ ...data.user, balance: data.balance, held: data.held }}
          onDone={(adjusted) => {
            setAdjusting(false)
            if (adjusted) void rereadMoney()
          }}
        />
      )}
    </>
  )
}
