import { Phone } from 'lucide-react'
import { numberToCallBack, withPlus } from '../../common/calls/directions.ts'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { useOpenPhone } from './phone-context.ts'

type CallBackProps = { caller: string; className?: string }

/** Opens the phone with the number of the caller. Nothing for anonymous callers. */
export function CallBack({ caller, className }: CallBackProps) {
  const openPhone = useOpenPhone()
  const known = numberToCallBack(caller)
  if (known === null) return null
  const number = withPlus(known)
  return (
    <Button
      size="sm"
      className={className}
      aria-label={`Call back ${formatPhoneNumber(number)}`}
      onClick={() => openPhone({ number })}
    >
      <Phone aria-hidden />
      Call back
    </Button>
  )
}
