import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { Paged } from '../../../common/Loaded.tsx'
import { Movements } from '../../../common/statement/Movements.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { lineDetails } from '../../balances/LineDetails.tsx'
import { statementQuery } from '../queries.ts'
import { listCard } from './list-card.ts'

export function Statement({ user }: { user: UserDetails }) {
  const statement = useInfiniteQuery(statementQuery(user.id))
  return (
    <TitledCard
      title="Statement"
      className={listCard}
      action={
        <Link to="/admin-panal/balances" search={{ user: user.id }} className={buttonClass({ size: 'sm' })}>
          Filter and export
        </Link>
      }
    >
      <Paged
        query={statement}
        failed="The statement could not be loaded."
        rowsOf={({ lines }) => lines}
        empty={{ title: 'No transactions yet' }}
      >
        {(lines) => <Movements lines={lines} isOld={false} detailsOf={lineDetails} />}
      </Paged>
    </TitledCard>
  )
}
