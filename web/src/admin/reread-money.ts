import { queryClient } from '../app/query-client.ts'

/** Money has moved: every figure of the panel may be another now. */
export const rereadMoney = () => queryClient.invalidateQueries({ queryKey: ['admin'] })
