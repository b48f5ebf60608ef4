import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createPortal, type Portal, signUp } from '../../../../test/portal.ts'
import { SECOND } from '../../../platform/clock.ts'
import { sipDigest } from '../../../platform/tokens.ts'

const served = { PHONE_SWITCH: '127.0.0.1:9' }

const phonesOf = (portal: Portal) => portal.services.db.selectFrom('phones').selectAll().execute()

it('creates one phone per session and stores only digests', async () => {
  const portal = await createPortal(served)
  const { phones } = portal.services
  const { token, id } = await signUp(portal, 'alice')
  const open = (take_over = false) => portal.call('POST /api/phone', { token, body: { take_over } })
  const first = (await open()).answer
  expect(first).toMatchObject({ realm: 'trunkline', socket: '/api/phone/socket', echo: 'echo' })
  const [kept] = await phonesOf(portal)
  expect(kept).toMatchObject({
    name: first.name,
    user_id: id,
    connected_at: null,
    ha1_md5: sipDigest('md5', first.name, 'trunkline', first.password),
  })
  expect(JSON.stringify(kept)).not.toContain(first.socket_token)

  // A request before the first connection comes from a reloaded browser.
  const second = (await open()).answer
  expect(await phones.connect(first.socket_token)).toBeNull()
  expect(await phones.connect(second.socket_token)).toBe(second.name)
  expect(await open()).toMatchObject({ status: 409, code: 'phone_in_use' })
  const third = (await open(true)).answer
  expect((await phonesOf(portal)).map(({ name }) => name)).toEqual([third.name])
  expect(await phones.alive([second.name, third.name])).toEqual([third.name])
})

it('lets several tabs of a session receive calls, and limits their number', async () => {
  const portal = await createPortal(served)
  const { phones } = portal.services
  const { token } = await signUp(portal, 'alice')
  const open = (body: { receives?: boolean; take_over?: boolean }) =>
    portal.call('POST /api/phone', { token, body })
  const names: string[] = []
  for (let tab = 0; tab < 8; tab++) {
    const { answer } = await open({ receives: true })
    names.push(String(await phones.connect(answer.socket_token)))
  }
  expect(await phones.alive(names)).toHaveLength(8)
  expect(await open({ receives: true })).toMatchObject({ status: 409, code: 'phone_in_use' })

  // The rule of one phone for outgoing calls is separate.
  const calling = (await open({})).answer
  await phones.connect(calling.socket_token)
  expect(await open({})).toMatchObject({ code: 'phone_in_use' })
  await open({ take_over: true })
  expect(await phones.alive([...names, calling.name])).toHaveLength(8)

  // Pages that were reloaded before they were connected do not use up the limit.
  await phones.end(names[0] ?? '')
  for (let reload = 0; reload < 20; reload++) expect((await open({ receives: true })).status).toBe(200)
  expect(await phonesOf(portal)).toHaveLength(9)
})

it('gives out credentials for the TURN servers that expire', async () => {
  const secret = 'the secret of coturn'
  const turn = {
    TURN_URLS: 'turns:turn.example.com:443?transport=tcp',
    TURN_SECRET: secret,
    TURN_ONLY: 'yes',
  }
  const portal = await createPortal({ ...served, ...turn })
  const { token, id } = await signUp(portal, 'alice')
  const { relays } = (await portal.call('POST /api/phone', { token, body: {} })).answer
  const expiry = portal.clock.now().getTime() / 1_000 + 86_400
  const username = `${Math.floor(expiry)}:${id}`
  expect(relays).toEqual({
    servers: [
      {
        urls: [turn.TURN_URLS],
        username,
        credential: createHmac('sha1', secret).update(username).digest('base64'),
      },
    ],
    only: true,
    expires_at: new Date(expiry * 1_000).toISOString(),
  })
  portal.clock.advance(20_000 * SECOND)
  const later = (await portal.call('GET /api/phone/relays', { token })).answer
  expect(Date.parse(later.expires_at) - Date.parse(relays.expires_at)).toBe(20_000 * SECOND)
  expect(later.servers[0]?.credential).not.toBe(relays.servers[0]?.credential)

  const without = await createPortal(served)
  const guest = await signUp(without, 'bob')
  expect((await without.call('GET /api/phone/relays', { token: guest.token })).answer.servers).toEqual([])
})

it('removes a phone with its session, with its user, and after a timeout', async () => {
  const portal = await createPortal(served)
  const { db, phones } = portal.services
  const { token, id, password } = await signUp(portal, 'alice')
  const signIn = async () => {
    const body = { username: 'alice', password }
    return (await portal.call('POST /api/auth/login', { body })).answer.token
  }
  const made = async (of: string) => {
    const { answer } = await portal.call('POST /api/phone', { token: of, body: {} })
    await phones.connect(answer.socket_token)
    return answer
  }
  const [gone, kept, left] = [await made(token), await made(await signIn()), await made(await signIn())]
  await portal.call('POST /api/auth/logout', { token })
  expect(await phones.connect(gone.socket_token)).toBeNull()
  portal.clock.advance(40 * SECOND)
  expect(await phones.keep([kept.name])).toEqual([kept.name])
  portal.clock.advance(10 * SECOND)
  expect(await phones.keep([kept.name, left.name])).toEqual([kept.name])
  expect((await phonesOf(portal)).map(({ name }) => name)).toEqual([kept.name])
  await db.updateTable('users').set({ disabled_at: portal.clock.now() }).where('id', '=', id).execute()
  expect(await phones.alive([kept.name])).toEqual([])
})

it('refuses a phone without a real switch', async () => {
  const portal = await createPortal()
  const { token } = await signUp(portal, 'alice')
  const refused = await portal.call('POST /api/phone', { token, body: {} })
  expect(refused).toMatchObject({ status: 409, code: 'no_phone' })
  expect(refused.message).toContain('need a connected SIP switch')
})

it('accepts connections from our own pages with a valid token and closes them with the phone', async () => {
  const requests: string[] = []
  const standIn = createServer().listen(0, '127.0.0.1')
  standIn.on('upgrade', (request, socket) => {
    requests.push(`${request.url} ${request.headers['sec-websocket-protocol']}`)
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n')
    socket.write(`Sec-WebSocket-Accept: ${acceptOf(String(request.headers['sec-websocket-key']))}\r\n`)
    socket.write('Sec-WebSocket-Protocol: sip\r\n\r\n')
    socket.on('error', () => {})
  })
  await new Promise((resolve) => standIn.once('listening', resolve))
  const portal = await createPortal({
    PHONE_SWITCH: `127.0.0.1:${(standIn.address() as { port: number }).port}`,
  })
  await portal.api.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.api.server.address() as { port: number }
  const { token } = await signUp(portal, 'alice')
  const { answer } = await portal.call('POST /api/phone', { token, body: {} })
  const connect = (protocols: string[], path = answer.socket, origin = `http://127.0.0.1:${port}`) =>
    new Promise<{ socket: WebSocket; closed: Promise<number> } | null>((resolve) => {
      // The WebSocket of Node accepts headers, unlike that of browsers.
      const options = { protocols, headers: { origin } } as unknown as string[]
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options)
      const closed = new Promise<number>((end) => socket.addEventListener('close', ({ code }) => end(code)))
      socket.addEventListener('open', () => resolve({ socket, closed }))
      socket.addEventListener('error', () => resolve(null))
    })
  const right = ['sip', answer.socket_token]
  expect(await connect(right, answer.socket, 'http://evil.example')).toBeNull()
  expect(await connect(['sip', 'guessed'])).toBeNull()
  expect(await connect([answer.socket_token, 'sip'])).toBeNull()
  expect(await connect(right, '/api/phone/other')).toBeNull()
  const open = await connect(right)
  expect(requests).toEqual([`/phone/${answer.name} sip`])
  expect(await portal.call('POST /api/phone', { token, body: {} })).toMatchObject({ code: 'phone_in_use' })
  await portal.call('POST /api/auth/logout', { token })
  expect(await open?.closed).toBe(4001)
  expect(await connect(right)).toBeNull()
  standIn.closeAllConnections()
  standIn.close()
})

it('ends a phone whose connection is reset during the handshake', async () => {
  const portal = await createPortal(served)
  const { phones, metrics } = portal.services
  await portal.api.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.api.server.address() as { port: number }
  const { token } = await signUp(portal, 'alice')
  const { answer } = await portal.call('POST /api/phone', { token, body: {} })
  const browser = connect(port, '127.0.0.1')
  const isReset = new Promise((resolve) =>
    portal.api.server.once('upgrade', (_request, socket) => socket.once('close', resolve)),
  )
  const connectPhone = phones.connect
  phones.connect = async (socketToken) => {
    const name = await connectPhone(socketToken)
    browser.resetAndDestroy()
    await isReset
    return name
  }
  browser.write(
    [
      ...[`GET ${answer.socket} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Origin: http://127.0.0.1:${port}`],
      ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='],
      ...['Sec-WebSocket-Version: 13', `Sec-WebSocket-Protocol: sip, ${answer.socket_token}`, '', ''],
    ].join('\r\n'),
  )
  await once(browser, 'close')
  await isReset
  expect(await metrics.text()).toMatch(/^trunkline_phone_sockets 0$/m)
  // The browser can reconnect for four seconds.
  await expect.poll(() => phonesOf(portal)).toEqual([])
})

/** RFC 6455, 4.2.2. */
const acceptOf = (key: string): string =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

it('tells browsers whether a switch accepts them', async () => {
  expect((await (await createPortal(served)).call('GET /api/site', {})).answer.has_browser_phone).toBe(true)
  expect((await (await createPortal()).call('GET /api/site', {})).answer.has_browser_phone).toBe(false)
})
