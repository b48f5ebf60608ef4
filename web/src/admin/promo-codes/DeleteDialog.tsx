import type { PromoCode } from '@trunkline/contract/admin-promo-codes'
import { api } from '../../app/api.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { rereadCodes } from './queries.ts'

export const DeleteDialog = ({ code, onDone }: { code: PromoCode; onDone: () => void }) => (
  <Confirm
    title={`Delete ${code.code}?`}
    text="Nobody has used this code. Customers who enter it will see that it does not exist."
    action="Delete"
    failed="The promo code could not be deleted."
    onConfirm={() => api('DELETE /api/admin/promo-codes/:id', { params: { id: code.id } })}
    reread={rereadCodes}
    onClose={onDone}
  />
)
