import type { StatementLine } from '@trunkline/contract/statements'
import { PhoneNumber } from '../PhoneNumber.tsx'

type Call = NonNullable<StatementLine['call']>

/** The other side of a charged call. */
export const CallSummary = ({ call: { direction, caller, destination } }: { call: Call }) =>
  direction === 'in' ? (
    <>
      From <PhoneNumber of={caller} />
    </>
  ) : (
    <>
      To <PhoneNumber of={destination} />
    </>
  )
