import { REASON_MAX } from '@trunkline/contract/limits'
import { useState } from 'react'
import { HangUpDialog } from '../../common/calls/HangUpDialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { hangUp } from './hang-up.ts'
import { useLiveCalls } from './use-live-calls.ts'

export function HangUpAny({ uniqueid, onClose }: { uniqueid: string; onClose: () => void }) {
  const call = useLiveCalls(({ calls }) => calls.find((one) => one.uniqueid === uniqueid))
  const [reason, setReason] = useState('')
  return (
    <HangUpDialog
      call={call}
      keep="Cancel"
      whose={call ? `of ${call.user.username} ` : ''}
      hangUp={() => hangUp(uniqueid, reason)}
      onClose={onClose}
    >
      <Field label="Reason" optional hint="Recorded in the audit log." className="mt-5">
        <Input maxLength={REASON_MAX} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </HangUpDialog>
  )
}
