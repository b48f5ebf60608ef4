import { createWeb, portOf, sendMissing, sendPage } from '../shared/web.ts'
import { listPage, MARK, messagePage, versionOf } from './pages.ts'
import { listenForMail } from './smtp.ts'
import { type MailStore, openMailStore } from './store.ts'

export type { Message } from './store.ts'

interface MailboxOptions {
  /** 0 means any free port. */
  smtpPort: number
  httpPort: number
  /** Folder for the stored emails. */
  folder: string
  host?: string
}

export interface RunningMailbox {
  smtpPort: number
  httpPort: number
  close(): Promise<void>
}

/** Accepts every email over SMTP, forwards none, and shows them in the browser. */
export async function startMailbox(options: MailboxOptions): Promise<RunningMailbox> {
  const { smtpPort, httpPort, folder, host = '127.0.0.1' } = options
  const store = openMailStore(folder)
  const smtp = await listenForMail(store, smtpPort, host)
  const web = createReader(store)
  try {
    await web.listen({ port: httpPort, host })
  } catch (error) {
    await smtp.close()
    throw error
  }
  return {
    smtpPort: smtp.port,
    httpPort: portOf(web.server.address()),
    async close() {
      await Promise.all([smtp.close(), web.close()])
    },
  }
}

function createReader(store: MailStore) {
  const web = createWeb()
  web.get('/', (_request, reply) => sendPage(reply, listPage(store.list())))
  web.get('/version', () => versionOf(store.list()))
  web.post('/clear', (_request, reply) => {
    store.clear()
    return reply.redirect('/', 303)
  })

  for (const path of ['/messages', '/messages.json']) {
    web.get<{ Querystring: { to?: string } }>(path, (request) => ({ messages: store.list(request.query.to) }))
  }
  web.delete('/messages', (_request, reply) => {
    store.clear()
    return reply.code(204).send()
  })
  web.get<{ Params: { id: string } }>('/messages/:id', (request, reply) => {
    const { id } = request.params
    const isJson = id.endsWith('.json')
    const message = store.get(isJson ? id.slice(0, -'.json'.length) : id)
    if (isJson) return message ?? reply.code(404).send({ message: 'No such mail' })
    return message ? sendPage(reply, messagePage(message)) : sendMissing(reply, MARK, 'No such mail')
  })
  return web
}
