import { useMutation, useQuery } from '@tanstack/react-query'
import type { RentedNumber } from '@trunkline/contract/numbers'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { toast } from '../../ui/toast.ts'
import { recordingSettingsQuery } from '../voicemail/queries.ts'
import { putNumber } from './queries.ts'

/** Records the calls to a number. Saved at once. Nothing if the operator does not allow it and it is off. */
export function RecordCalls({ number }: { number: RentedNumber }) {
  const { data: settings } = useQuery(recordingSettingsQuery)
  /** While it is being saved. The state of the mutation changes a moment after the click. */
  const [wanted, setWanted] = useState<boolean | null>(null)
  const change = useMutation({
    mutationFn: (records: boolean) =>
      api('PUT /api/numbers/:id/recording', { params: { id: number.id }, body: { records } }),
    onSuccess: (answer) => {
      putNumber(answer.number)
      toast.success(answer.number.records ? 'Calls to this number are recorded.' : 'Recording is off.')
    },
    onError: (error) => toast.error(explain(error, 'The setting could not be saved.')),
    onSettled: () => setWanted(null),
  })
  if (!settings?.is_allowed && !number.records) return null
  return (
    <Checkbox
      label="Record calls to this number"
      hint="Every answered call, wherever the number rings. You find recordings in the details of a call."
      checked={wanted ?? number.records}
      disabled={wanted !== null}
      onChange={({ target }) => {
        setWanted(target.checked)
        change.mutate(target.checked)
      }}
    />
  )
}
