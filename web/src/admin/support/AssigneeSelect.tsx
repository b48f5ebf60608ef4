import { useQuery } from '@tanstack/react-query'
import type { StaffTicket } from '@trunkline/contract/tickets'
import { useUser } from '../../app/session.ts'
import { Options, Select } from '../../ui/Select.tsx'
import { staffQuery, useAssign } from './queries.ts'

export function AssigneeSelect({ ticket: { id, assignee } }: { ticket: StaffTicket }) {
  const self = useUser()
  const staff = useQuery(staffQuery).data?.staff ?? []
  const assign = useAssign(id)
  // The assignee may have lost the admin rights since.
  const choices = assignee && !staff.some((one) => one.id === assignee.id) ? [assignee, ...staff] : staff
  return (
    <Select
      aria-label="Assignee"
      className="w-44"
      value={assignee?.id ?? ''}
      disabled={assign.isPending}
      onChange={({ target }) => assign.mutate(target.value === '' ? null : Number(target.value))}
    >
      <option value="">Unassigned</option>
      <Options
        of={choices.map(({ id: staffId, username }) => [
          staffId,
          staffId === self?.id ? `${username} (you)` : username,
        ])}
      />
    </Select>
  )
}
