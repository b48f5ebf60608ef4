import { useEffect, useState } from 'react'
import { countOn } from '../../app/live-calls.ts'
import { runningDollars } from '../../common/calls/call-look.ts'
import { useSecond } from '../../common/calls/use-second.ts'
import { asClock } from '../../common/durations.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { hangUp } from './hang-up.ts'
import { useLiveCalls } from './use-live-calls.ts'

/** Two people are talking: whoever ends that means it. */
export function HangUpDialog({ uniqueid, onClose }: { uniqueid: string; onClose: () => void }) {
  const call = useLiveCalls(({ calls }) => calls.find((one) => one.uniqueid === uniqueid))
  const now = useSecond()
  const [isBusy, setBusy] = useState(false)
  const isOver = call === undefined

  useEffect(() => {
    if (isOver) onClose()
  }, [isOver, onClose])

  if (!call) return null
  const { seconds, cost } = countOn(call, now)

  async function end() {
    setBusy(true)
    await hangUp(uniqueid)
    onClose()
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Hang up this call?"
      description={`The call to ${call.ndiscado} (${call.country}) is cut off for both sides.`}
      maxWidth={440}
      footer={
        <>
          <Button onClick={onClose}>Keep talking</Button>
          <Button variant="danger" busy={isBusy} onClick={() => void end()}>
            Hang up
          </Button>
        </>
      }
    >
      <dl className="flex gap-10">
        <Figure name="Talking for" value={asClock(seconds)} />
        <Figure name="Cost so far" value={runningDollars(cost)} />
      </dl>
    </Dialog>
  )
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-muted text-sm">{name}</dt>
    <dd className="figures font-semibold text-2xl tracking-tight">{value}</dd>
  </div>
)
