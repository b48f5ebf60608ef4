import { execFileSync, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DECK_BYTES_MAX } from '@trunkline/contract/limits'
import { expect, it, onTestFinished } from 'vitest'
import { root } from '../paths.ts'
import { freePort, preparedFolder, startPortal } from './portal-process.ts'

const json = { 'content-type': 'application/json' }

type Ports = { secure: number; plain: number; portal: string }
type Proxy = {
  example: string
  program: string
  redirect: number
  /** Uses the example file with other ports, another certificate and another user. */
  arguments(folder: string, ports: Ports): Promise<string[]>
}

const proxies: Proxy[] = [
  { example: 'nginx.conf', program: '/usr/sbin/nginx', redirect: 301, arguments: nginxArguments },
  { example: 'Caddyfile', program: '/usr/bin/caddy', redirect: 308, arguments: caddyArguments },
]

it.each(proxies)(
  'ops/$example forwards requests, large uploads, event streams and the web phone, and ignores a forged X-Forwarded-For',
  async (proxy) => {
    const data = await preparedFolder()
    const secure = await freePort()
    const publicUrl = `https://localhost:${secure}`
    const portal = await startPortal(data, {
      env: { TRUST_PROXY: 'loopback', PUBLIC_URL: publicUrl, PHONE_SWITCH: await fakeSwitch() },
    })
    await startProxy(proxy, data, { secure, plain: secure + 1, portal: new URL(portal.url).port })

    const moved = await new Promise<IncomingMessage>((resolve, reject) =>
      plainRequest({ host: 'localhost', family: 4, port: secure + 1, path: '/login' }, resolve)
        .once('error', reject)
        .end(),
    )
    expect(moved.statusCode).toBe(proxy.redirect)
    expect(moved.headers.location).toMatch(/^https:\/\/localhost(:\d+)?\/login$/)

    const ask = (options: RequestOptions, body?: object) => asked({ port: secure, ...options }, body)
    const signIn = async (username: string) => {
      const sent = { ...json, 'x-forwarded-for': '203.0.113.9' }
      const options = { method: 'POST', path: '/api/auth/login', headers: sent }
      const { token } = await bodyOf<{ token: string }>(
        await ask(options, { username, password: `trunkline-${username}` }),
      )
      return { authorization: `Bearer ${token}` }
    }
    const headers = await signIn('alice')
    const packed = await ask({ path: '/api/routes', headers: { ...headers, 'accept-encoding': 'gzip' } })
    expect(packed.headers['content-encoding']).toBe('gzip')
    packed.destroy()
    const { sessions } = await bodyOf<{ sessions: { address: string }[] }>(
      await ask({ path: '/api/user/sessions', headers }),
    )
    expect(JSON.stringify(sessions)).toContain('127.0.0.1')
    expect(JSON.stringify(sessions)).not.toContain('203.0.113.9')

    // The maximum size of a rate deck. The portal rejects the content, not the proxy.
    const upload = { ...json, ...(await signIn('admin')) }
    const large = await ask(
      { method: 'POST', path: '/api/trunks/1/rate-deck/check', headers: upload },
      { deck: '?'.repeat(DECK_BYTES_MAX - 100), mode: 'merge' },
    )
    expect([large.statusCode, await bodyOf(large)]).toMatchObject([
      400,
      { error: { code: 'deck_unreadable' } },
    ])

    // The proxy must not buffer the stream until it ends.
    const asABrowser = { ...headers, 'accept-encoding': 'gzip' }
    const stream = await ask({ path: '/api/live-calls/stream', headers: asABrowser })
    expect(stream.headers['content-type']).toContain('text/event-stream')
    for await (const chunk of stream) {
      expect(String(chunk)).toContain('event: ')
      break
    }

    const phone = await bodyOf<{ socket_token: string }>(
      await ask({ method: 'POST', path: '/api/phone', headers: { ...headers, ...json } }, {}),
    )
    expect(await openPhone(secure, publicUrl, phone.socket_token)).toBe('the switch hears: hello')
  },
)

/** Accepts a WebSocket and echoes what it receives. */
async function fakeSwitch(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.on('data', (chunk) => socket.write(`the switch hears: ${chunk}`))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function startProxy(proxy: Proxy, folder: string, ports: Ports): Promise<void> {
  const child = spawn(proxy.program, await proxy.arguments(folder, ports), {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  for (const port of [ports.secure, ports.plain])
    while (!(await isOpen(port))) {
      expect(child.exitCode, `${proxy.program} ended`).toBe(null)
      await pause(20)
    }
}

async function nginxArguments(folder: string, { secure, plain, portal }: Ports): Promise<string[]> {
  const { key, certificate } = makeCertificate(folder)
  const example = (await readFile(join(root, 'ops/nginx.conf'), 'utf8'))
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${secure} ssl http2;`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    .replace('server 127.0.0.1:3000 ', `server localhost:${portal} `)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    // nginx buffers large bodies in this folder, which belongs to root when root runs the tests.
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; worker_processes 1; events {}
     http { access_log off; ${places}\n${example}\n}`,
  )
  return ['-c', file]
}

async function caddyArguments(folder: string, { secure, plain, portal }: Ports): Promise<string[]> {
  const { key, certificate } = makeCertificate(folder)
  const example = (await readFile(join(root, 'ops/Caddyfile'), 'utf8'))
    .replace('portal.example.com {', `localhost {\n\ttls ${certificate} ${key}`)
    .replace('reverse_proxy 127.0.0.1:3000 ', `reverse_proxy localhost:${portal} `)
  const file = join(folder, 'Caddyfile')
  await writeFile(file, `{\n\tadmin off\n\thttp_port ${plain}\n\thttps_port ${secure}\n}\n${example}`)
  return ['run', '--config', file, '--adapter', 'caddyfile']
}

function makeCertificate(folder: string): { key: string; certificate: string } {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  return { key, certificate }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect({ port, host: '127.0.0.1' }, () => resolve(true))
    probe.once('error', () => resolve(false))
    probe.once('connect', () => probe.destroy())
  })

const throughProxy = { host: 'localhost', family: 4, rejectUnauthorized: false, agent: false }

const asked = (options: RequestOptions, body?: object): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request({ ...throughProxy, ...options }, resolve)
    sent.once('error', reject)
    sent.end(body && JSON.stringify(body))
  })

async function bodyOf<Answer>(response: IncomingMessage): Promise<Answer> {
  let text = ''
  for await (const chunk of response) text += chunk
  return JSON.parse(text)
}

function openPhone(port: number, origin: string, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const opening = request({
      ...throughProxy,
      port,
      path: '/api/phone/socket',
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-protocol': `sip, ${token}`,
        origin,
      },
    })
    opening.once('upgrade', (_response, socket) => {
      socket.once('data', (chunk) => {
        resolve(String(chunk))
        socket.destroy()
      })
      socket.write('hello')
    })
    opening.once('response', ({ statusCode }) =>
      reject(new Error(`the WebSocket upgrade failed with ${statusCode}`)),
    )
    opening.once('error', reject)
    opening.end()
  })
}
