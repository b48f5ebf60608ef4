import { useNavigate, useSearch } from '@tanstack/react-router'
import { focusHeading } from '../../ui/focus-heading.ts'

/** The provider returns to `?success=…&invoice=ID`. Either parameter is enough. */
type ReturnFlag = { invoice: number | null }

export function readReturnFlag(search: Record<string, unknown>): ReturnFlag | null {
  const { success, invoice } = search
  const id = Number(invoice)
  if (Number.isSafeInteger(id) && id > 0) return { invoice: id }
  return success === undefined || success === false ? null : { invoice: null }
}

export function useReturnFlag(page: '/dashboard/topup' | '/dashboard/upgrade') {
  const flag = readReturnFlag(useSearch({ strict: false }))
  const navigate = useNavigate()
  const dismiss = async () => {
    await navigate({ to: page, search: {}, replace: true, resetScroll: false })
    focusHeading()
  }
  return { flag, dismiss: () => void dismiss() }
}
