import { createPortal, type SignedIn, signUp } from './portal.ts'

/** A portal with two customers and an administrator, and helpers for tickets. */
export async function openDesk() {
  const portal = await createPortal()
  const root = await signUp(portal, 'root', { isAdmin: true })
  const [alice, bob] = [await signUp(portal, 'alice'), await signUp(portal, 'bob')]

  const tryToOpen = ({ token }: SignedIn, given: object = {}) =>
    portal.call('POST /api/support/tickets', {
      token,
      body: { subject: 'Help', message: 'It does not work.', ...given },
    })

  return {
    portal,
    root,
    alice,
    bob,
    tryToOpen,
    async open(who: SignedIn, given: object = {}) {
      const { status, answer, message } = await tryToOpen(who, given)
      if (status !== 200) throw new Error(message)
      return answer.ticket
    },
    reply: ({ token }: SignedIn, id: number, message: string) =>
      portal.call('POST /api/support/tickets/:id/replies', { token, params: { id }, body: { message } }),
    staffReply: (id: number, message: string) =>
      portal.call('POST /api/admin/support/tickets/:id/replies', {
        token: root.token,
        params: { id },
        body: { message },
      }),
    note: (id: number, note: string, { token }: SignedIn = root) =>
      portal.call('POST /api/admin/support/tickets/:id/notes', { token, params: { id }, body: { note } }),
    staffThread: (id: number) =>
      portal.call('GET /api/admin/support/tickets/:id', { token: root.token, params: { id } }),
    staffChange: (id: number, body: object) =>
      portal.call('PATCH /api/admin/support/tickets/:id', { token: root.token, params: { id }, body }),
    times: async () => (await portal.call('GET /api/admin/support/times', { token: root.token })).answer,
    thread: ({ token }: SignedIn, id: number) =>
      portal.call('GET /api/support/tickets/:id', { token, params: { id } }),
    list: ({ token }: SignedIn, query: Record<string, string | number> = {}) =>
      portal.call('GET /api/support/tickets', { token, query }),
    inbox: (query: Record<string, string | number> = {}) =>
      portal.call('GET /api/admin/support/tickets', { token: root.token, query }),
  }
}
