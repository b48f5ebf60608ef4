import { createPortal, type Portal, signUp } from './portal.ts'

export async function withAdministrator(startsAt: string) {
  const portal = await createPortal({}, { startsAt })
  const { token } = await signUp(portal, 'root', { isAdmin: true })
  return { ...portal, token }
}

export const ask = (portal: Portal & { token: string }, query: object) =>
  portal.call('GET /api/admin/analysis', {
    token: portal.token,
    query: query as { from: string; to: string },
  })
