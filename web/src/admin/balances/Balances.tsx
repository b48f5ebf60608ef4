import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatDateTimeWithZone } from '../../common/format/dates.ts'
import { selectionOf } from '../../common/statement/search.ts'
import { Notice } from '../../ui/Notice.tsx'
import { UserPicker } from '../users/UserPicker.tsx'
import { Adjustments } from './Adjustments.tsx'
import { proofQuery, statementQuery } from './queries.ts'
import { Statement } from './Statement.tsx'
import { type BalancesSearch, readSearch } from './search.ts'

export function Balances() {
  const search = readSearch(useSearch({ strict: false }))
  const { user, before } = search
  const navigate = useNavigate()
  const go = (next: BalancesSearch, replace = false) =>
    void navigate({ to: '/admin-panal/balances', search: next, replace, resetScroll: false })
  const { data } = useQuery({
    ...statementQuery(user ?? 0, selectionOf(search), before),
    enabled: user !== undefined,
  })
  const picked = user === undefined ? null : { id: user, username: data?.user.username ?? `User ${user}` }

  return (
    <>
      <header className="mb-4 lg:flex lg:items-end lg:justify-between short:mb-2 short:flex short:items-end short:gap-4">
        <h1 className="font-semibold text-2xl tracking-tight max-lg:mb-4 short:mb-1">Balance Management</h1>
        <div className="max-w-md flex-1">
          <UserPicker label="User" picked={picked} onPick={(next) => go(next ? { user: next.id } : {})} />
        </div>
      </header>
      {user === undefined ? (
        <>
          <LedgerCheck />
          <Adjustments before={before} onGo={(to) => go(to === undefined ? {} : { before: to })} />
        </>
      ) : (
        <Statement
          key={user}
          userId={user}
          search={search}
          onGo={(next, replace) => go({ user, ...next }, replace)}
        />
      )}
    </>
  )
}

/** Result of the nightly check. The server log lists the errors. */
function LedgerCheck() {
  const { data: proof } = useQuery(proofQuery)
  if (proof === undefined) return null
  if (proof === null)
    return (
      <Notice tone="info" className="mb-5 short:mb-2">
        All balances are checked every night against the ledger. The first check has not run yet.
      </Notice>
    )
  return proof.faults === 0 ? (
    <Notice tone="success" className="mb-5 short:mb-2">
      All balances match the ledger. Last checked {formatDateTimeWithZone(proof.at)}.
    </Notice>
  ) : (
    <Notice tone="danger" className="mb-5 short:mb-2">
      {proof.faults} {proof.faults === 1 ? 'ledger error was' : 'ledger errors were'} found on{' '}
      {formatDateTimeWithZone(proof.at)}. Run ./trunkline check-books for details.
    </Notice>
  )
}
