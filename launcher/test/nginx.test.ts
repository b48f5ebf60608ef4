import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { root } from '../paths.ts'
import { dataFolder, freePort, startPortal } from './portal-process.ts'

const NGINX = '/usr/sbin/nginx'
const isInstalled = existsSync(NGINX)
if (!isInstalled) console.log('nginx is not installed here: ops/nginx.conf is not tried.')

it.runIf(isInstalled)(
  'ops/nginx.conf lets requests, event streams and the phone through, and callers cannot choose their address',
  async () => {
    const data = await dataFolder()
    const secure = await freePort()
    const portal = await startPortal(data, {
      env: { TRUST_PROXY: 'yes', PUBLIC_URL: `https://localhost:${secure}`, PHONE_SWITCH: await aSwitch() },
    })
    await startNginx(data, { secure, plain: secure + 1, portal: new URL(portal.url).port })

    const moved = await new Promise<IncomingMessage>((resolve, reject) =>
      plainRequest({ host: '127.0.0.1', port: secure + 1, path: '/login' }, resolve)
        .once('error', reject)
        .end(),
    )
    expect([moved.statusCode, moved.headers.location]).toEqual([301, 'https://127.0.0.1/login'])

    const ask = (options: RequestOptions, body?: object) => asked({ port: secure, ...options }, body)
    const json = { 'content-type': 'application/json' }
    const signedIn = await ask(
      { method: 'POST', path: '/api/auth/login', headers: { ...json, 'x-forwarded-for': '203.0.113.9' } },
      { username: 'alice', password: 'trunkline-alice' },
    )
    const headers = { authorization: `Bearer ${(await bodyOf<{ token: string }>(signedIn)).token}` }
    const { sessions } = await bodyOf<{ sessions: { address: string }[] }>(
      await ask({ path: '/api/user/sessions', headers }),
    )
    expect(JSON.stringify(sessions)).toContain('127.0.0.1')
    expect(JSON.stringify(sessions)).not.toContain('203.0.113.9')

    // The stream never ends; its first event comes all the same.
    const stream = await ask({ path: '/api/live-calls/stream', headers })
    expect(stream.headers['content-type']).toContain('text/event-stream')
    for await (const chunk of stream) {
      expect(String(chunk)).toContain('event: ')
      break
    }

    const phone = await bodyOf<{ socket_token: string }>(
      await ask({ method: 'POST', path: '/api/phone', headers: { ...headers, ...json } }, {}),
    )
    expect(await openPhone(secure, phone.socket_token)).toBe('the switch hears: hello')
  },
)

/** What a switch would answer a browser's phone; then it says back what it hears. */
async function aSwitch(): Promise<string> {
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

type Ports = { secure: number; plain: number; portal: string }

/** The example as it is, but for its ports, its certificate and who it runs as. */
async function startNginx(folder: string, { secure, plain, portal }: Ports): Promise<void> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
      ],
      ...['-subj', '/CN=localhost', '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  )
  const example = (await readFile(join(root, 'ops/nginx.conf'), 'utf8'))
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${secure} ssl http2;`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    .replace('server 127.0.0.1:3000 ', `server localhost:${portal} `)
  const file = join(folder, 'nginx.conf')
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; worker_processes 1; events {}
     http { access_log off; ${places}\n${example}\n}`,
  )
  expect(execFileSync(NGINX, ['-t', '-q', '-c', file], { stdio: 'pipe' }).toString()).toBe('')
  const nginx = spawn(NGINX, ['-c', file], { stdio: 'ignore' })
  const ended = new Promise((resolve) => nginx.once('exit', resolve))
  onTestFinished(async () => {
    nginx.kill('SIGTERM')
    await ended
  })
  while (!(await isOpen(secure))) await pause(20)
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect({ port, host: '127.0.0.1' }, () => resolve(true))
    probe.once('error', () => resolve(false))
    probe.once('connect', () => probe.destroy())
  })

const asked = (options: RequestOptions, body?: object): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', rejectUnauthorized: false, agent: false, ...options }, resolve)
    sent.once('error', reject)
    sent.end(body && JSON.stringify(body))
  })

async function bodyOf<Answer>(response: IncomingMessage): Promise<Answer> {
  let text = ''
  for await (const chunk of response) text += chunk
  return JSON.parse(text)
}

function openPhone(port: number, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const opening = request({
      ...{ host: '127.0.0.1', port, path: '/api/phone/socket', rejectUnauthorized: false, agent: false },
      headers: {
        ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
        ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol': `sip, ${token}` },
        origin: `https://localhost:${port}`,
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
      reject(new Error(`the phone is answered with ${statusCode}`)),
    )
    opening.once('error', reject)
    opening.end()
  })
}
