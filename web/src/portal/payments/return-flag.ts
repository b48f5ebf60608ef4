import { useNavigate, useSearch } from '@tanstack/react-router'
import { focusHeading } from '../../ui/focus-heading.ts'

/** Where the provider sends people back to: `?success=…&invoice=ID`, the flag or the id alone will do. */
type ReturnFlag = { invoice: number | null }

export function readReturnFlag(search: Record<string, unknown>): ReturnFlag | null {
  const { success, invoice } = search
  const id = Number(invoice)
  if (Number.isSafeInteger(id) && id > 0) return { invoice: id }
  return success === undefined || success === false ? null : { invoice: null }
}

/** The flag of this address, and how to take it away. */
export function useReturnFlag(page: '/dashboard/topup' | '/dashboard/upgrade') {
  const flag = readReturnFlag(useSearch({ strict: false }))
  const navigate = useNavigate()
  const dismiss = async () => {
    await navigate({ to: page, search: {}, replace: true, resetScroll: false })
    focusHeading()
  }
  return { flag, dismiss: () => void dismiss() }
}
