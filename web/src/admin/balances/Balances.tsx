import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { exactly } from '../../common/payments/dates.ts'
import { Notice } from '../../ui/Notice.tsx'
import { UserPicker } from '../users/UserPicker.tsx'
import { Adjustments } from './Adjustments.tsx'
import { proofQuery, statementQuery } from './queries.ts'
import { Statement } from './Statement.tsx'
import { type BalancesSearch, readSearch, selectionOf } from './search.ts'

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
      <h1 className="mb-4 font-semibold text-2xl tracking-tight">Balance Management</h1>
      <div className="mb-5 max-w-md">
        <UserPicker
          label="Whose balance"
          picked={picked}
          onPick={(next) => go(next ? { user: next.id } : {})}
        />
      </div>
      {user === undefined ? (
        <>
          <Proof />
          <Adjustments before={before} onGo={(to) => go(to === undefined ? {} : { before: to })} />
        </>
      ) : (
        <Statement key={user} userId={user} search={search} onGo={go} />
      )}
    </>
  )
}

/** What the nightly check found. Faults are for somebody to look into at once; their list is in the server's log. */
function Proof() {
  const { data: proof } = useQuery(proofQuery)
  if (proof === undefined) return null
  if (proof === null)
    return (
      <Notice tone="info" className="mb-5">
        The books are proved every night: every balance against its postings, every posting to zero. The first
        proof is still to come.
      </Notice>
    )
  return proof.faults === 0 ? (
    <Notice tone="success" className="mb-5">
      The books add up: every balance is the sum of its postings. Proved {exactly(proof.at)}.
    </Notice>
  ) : (
    <Notice tone="danger" className="mb-5">
      The books do not add up: {proof.faults} {proof.faults === 1 ? 'fault was' : 'faults were'} found{' '}
      {exactly(proof.at)}. Run ./trunkline check-books, which names each of them.
    </Notice>
  )
}
