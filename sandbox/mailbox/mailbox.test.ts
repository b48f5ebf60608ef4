import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jsonOf, temporaryFolder } from '../test/provider.ts'
import { type Message, type RunningMailbox, startMailbox } from './start.ts'

let mailbox: RunningMailbox
let place: ReturnType<typeof temporaryFolder>
const start = async () => {
  mailbox = await startMailbox({ smtpPort: 0, httpPort: 0, folder: place.folder })
}
const at = (path: string) => `http://127.0.0.1:${mailbox.httpPort}${path}`
const list = async (query = '') =>
  (await jsonOf<{ messages: Message[] }>(fetch(at(`/messages.json${query}`)))).messages

function send(mail: { to: string; subject?: string; text?: string; html?: string }) {
  const transport = createTransport({ host: '127.0.0.1', port: mailbox.smtpPort, ignoreTLS: true })
  return transport.sendMail({ from: 'portal@trunkline.test', subject: 'Reset your password', ...mail })
}

beforeEach(async () => {
  place = temporaryFolder()
  await start()
})
afterEach(async () => {
  await mailbox.close()
  place.remove()
})

describe('mailbox', () => {
  it('stores an email received by SMTP and finds it by recipient', async () => {
    await send({ to: 'alice@example.com', text: 'Go to http://localhost:3000/reset?token=a&b=ü.' })
    await send({ to: 'paula@example.com', subject: 'Grüße', text: 'Hello' })

    const messages = await list('?to=ALICE@example.com')
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({ to: ['alice@example.com'], subject: 'Reset your password' })
    expect(messages[0]?.links).toEqual(['http://localhost:3000/reset?token=a&b=ü'])
    expect((await list())[0]?.subject).toBe('Grüße')
    expect(await jsonOf(fetch(at(`/messages/${messages[0]?.id}.json`)))).toEqual(messages[0])
  })

  it('shows the email with clickable links and a strict content security policy', async () => {
    await send({ to: 'alice@example.com', text: 'Go to http://localhost:3000/reset?token=a&b=c.' })
    const messages = await list()
    const answer = await fetch(at(`/messages/${messages[0]?.id}`))
    expect(await answer.text()).toContain(
      '<a href="http://localhost:3000/reset?token=a&amp;b=c" rel="noreferrer noopener">',
    )
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    const front = await (await fetch(at('/'))).text()
    expect(front).toContain('alice@example.com')
    expect(front).toContain('mailbox — emails of the demo, nothing leaves this machine')
  })

  it('escapes markup in an email', async () => {
    const attack = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    await send({
      to: 'alice@example.com',
      subject: attack,
      text: `${attack} javascript:alert(1) http://x/"onclick=alert(1)`,
    })
    const messages = await list()
    expect(messages[0]?.subject).toBe(attack)
    for (const path of ['/', `/messages/${messages[0]?.id}`]) {
      const page = await (await fetch(at(path))).text()
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
      expect(page).not.toContain('<script>alert')
      expect(page).not.toContain('<img')
      expect(page).not.toContain('href="javascript')
      expect(page).not.toContain('"onclick')
    }
  })

  it('reads an email that has only HTML', async () => {
    await send({
      to: 'alice@example.com',
      html: '<p>Open <a href="http://localhost:3000/reset">this</a></p>',
    })
    const messages = await list()
    expect(messages[0]?.links).toEqual(['http://localhost:3000/reset'])
    expect(messages[0]?.text).not.toContain('<')
  })

  it('rejects an email above the size limit and keeps running', async () => {
    await expect(send({ to: 'alice@example.com', text: 'x'.repeat(7_000_000) })).rejects.toMatchObject({
      responseCode: 552,
    })
    await send({ to: 'alice@example.com', text: 'small' })
    expect(await list()).toHaveLength(1)
  })

  it('keeps emails over a restart, and none after they were deleted', async () => {
    await send({ to: 'alice@example.com', text: 'still here' })
    await mailbox.close()
    await start()
    expect((await list())[0]?.text).toBe('still here')
    expect((await fetch(at('/messages'), { method: 'DELETE' })).status).toBe(204)
    await mailbox.close()
    await start()
    expect(await list()).toEqual([])
  })

  it('returns 404 for an unknown email', async () => {
    expect((await fetch(at('/messages/none'))).status).toBe(404)
    expect((await fetch(at('/messages/none.json'))).status).toBe(404)
  })

  it('rejects forms from another site', async () => {
    await send({ to: 'alice@example.com', text: 'mine' })
    const answer = await fetch(at('/clear'), { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } })
    expect(answer.status).toBe(403)
    expect(await list()).toHaveLength(1)
  })
})
