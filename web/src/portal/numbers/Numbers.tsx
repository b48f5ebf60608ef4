import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { MyNumbers } from './MyNumbers.tsx'
import { RentNumbers } from './RentNumbers.tsx'
import { RingPlan } from './rings/RingPlan.tsx'
import { filterOf, readSearch } from './search.ts'

/** The rented numbers and the search for new ones, or where one number rings. */
export function Numbers() {
  const search = readSearch(useSearch({ from: '/customer-gate/dashboard/numbers' }))
  const navigate = useNavigate({ from: '/dashboard/numbers' })
  if (search.rings !== undefined) return <RingPlan key={search.rings} id={search.rings} />
  return (
    <>
      <ScreenTitle title="Phone numbers" text="Rent numbers and choose where they ring." />
      <div className="grid grid-cols-1 gap-4">
        <MyNumbers />
        <RentNumbers
          filter={filterOf(search)}
          onFilter={(next) => void navigate({ to: '.', search: next, replace: true, resetScroll: false })}
        />
      </div>
    </>
  )
}
