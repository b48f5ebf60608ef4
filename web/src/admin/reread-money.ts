import { queryClient } from '../app/query-client.ts'

/** After any change of money: every figure of the panel may have changed. */
export const rereadMoney = () => queryClient.invalidateQueries({ queryKey: ['admin'] })
