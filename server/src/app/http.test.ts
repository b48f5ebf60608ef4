import { once } from 'node:events'
import { connect } from 'node:net'
import { endpoints, methodAndPath } from '@trunkline/contract'
import { describe, expect, it } from 'vitest'
import { asServerOwner } from '../../test/database.ts'
import { createPortal } from '../../test/portal.ts'

describe('every answer', () => {
  it('has a request id and the security headers', async () => {
    const { api } = await createPortal()
    const { headers } = await api.inject('/api/site')
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-store')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  it('has the HSTS header if the public URL is HTTPS', async () => {
    const plain = await createPortal()
    expect((await plain.api.inject('/api/site')).headers['strict-transport-security']).toBeUndefined()
    const { api } = await createPortal({ PUBLIC_URL: 'https://portal.example' })
    expect((await api.inject('/api/site')).headers['strict-transport-security']).toContain('max-age')
  })
})

describe('the client address', () => {
  const signInFrom = async (settings: Record<string, string>, from: string, forwarded: string) => {
    const portal = await createPortal(settings)
    const payload = { username: 'newcomer', password: 'long enough' }
    const send = (url: string) =>
      portal.api.inject({
        method: 'POST',
        url,
        remoteAddress: from,
        payload,
        headers: { 'x-forwarded-for': forwarded },
      })
    await send('/register')
    const { token } = (await send('/api/auth/login')).json()
    const { answer } = await portal.call('GET /api/user/sessions', { token })
    return answer.sessions[0]?.address
  }

  it.each([
    [
      'is theirs, whatever they write, where no proxy is named',
      {},
      '198.51.100.1',
      '203.0.113.9',
      '198.51.100.1',
    ],
    [
      'is theirs where they are not the proxy',
      { TRUST_PROXY: 'loopback' },
      '198.51.100.1',
      '203.0.113.9',
      '198.51.100.1',
    ],
    ['comes from the proxy', { TRUST_PROXY: 'loopback' }, '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    [
      'is the one the proxy added to theirs',
      { TRUST_PROXY: '10.0.0.0/24' },
      '10.0.0.5',
      '203.0.113.9, 198.51.100.1',
      '198.51.100.1',
    ],
  ])('%s', async (_what, settings, from, forwarded, address) => {
    expect(await signInFrom(settings as Record<string, string>, from, forwarded)).toBe(address)
  })
})

describe('errors have the same format', () => {
  it.each([
    ['an unknown address', { url: '/api/nothing' }, 404],
    ['a broken body', { url: '/api/auth/login', method: 'POST', payload: '{"user', json: true }, 400],
    ['a body of the wrong kind', { url: '/api/auth/login', method: 'POST', payload: '[]', json: true }, 400],
    ['another content type', { url: '/api/auth/login', method: 'POST', payload: 'a=b' }, 400],
    [
      'a body too large',
      { url: '/api/contact', method: 'POST', payload: `"${'x'.repeat(300_000)}"`, json: true },
      413,
    ],
  ])('for %s', async (_name, { json, ...request }: Record<string, unknown>, status) => {
    const { api } = await createPortal()
    const headers = json ? { 'content-type': 'application/json' } : { 'content-type': 'application/x-form' }
    const response = await api.inject({ ...request, headers } as never)
    expect(response.statusCode).toBe(status)
    const body = response.json()
    expect(body).toEqual({
      error: expect.objectContaining({ code: expect.any(String), message: body.message }),
      message: expect.any(String),
      request_id: response.headers['x-request-id'],
    })
  })
})

it('refuses unknown fields', async () => {
  const portal = await createPortal()
  const body = { username: 'alice', password: 'whatever', is_admin: true }
  expect(await portal.call('POST /api/auth/login', { body })).toMatchObject({
    status: 400,
    code: 'invalid_input',
  })
})

describe('without a database', () => {
  it('health is false, other requests answer 503, and both recover automatically', async () => {
    const portal = await createPortal()
    expect(await portal.call('GET /api/health')).toMatchObject({ status: 200, answer: true })
    await asServerOwner(`alter database ${portal.database.name} with allow_connections false`)
    await asServerOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${portal.database.name}'`,
    )
    expect(await portal.call('GET /api/health')).toMatchObject({ status: 503, answer: false })
    const login = await portal.call('POST /api/auth/login', { body: { username: 'a', password: 'b' } })
    expect(login).toMatchObject({ status: 503, code: 'unavailable' })
    await asServerOwner(`alter database ${portal.database.name} with allow_connections true`)
    expect(await portal.call('GET /api/health')).toMatchObject({ status: 200, answer: true })
  })
})

it('stops despite idle connections without a request', async () => {
  const { api } = await createPortal()
  const { port } = new URL(await api.listen({ port: 0, host: '127.0.0.1' }))
  const ahead = connect(Number(port), '127.0.0.1')
  await once(ahead, 'connect')
  const dropped = once(ahead, 'close')
  await (await fetch(`http://127.0.0.1:${port}/api/site`)).json()
  await api.close()
  await dropped
})

it('describes every endpoint with its schemas and serves a viewer', async () => {
  const { api } = await createPortal()
  const document = (await api.inject('/api/openapi.json')).json()
  for (const address of Object.keys(endpoints)) {
    const { method, path } = methodAndPath(address)
    const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    expect(operation?.responses?.['200']?.content, address).toBeDefined()
  }
  const reader = await api.inject('/api/docs')
  expect(reader.body).toContain('/api/docs/swagger-ui-bundle.js')
  expect(reader.body).not.toMatch(/<script>|https?:\/\//)
})

it('redacts secrets in logs', async () => {
  const lines: string[] = []
  const { pino } = await import('pino')
  const { redaction } = await import('./logger.ts')
  const logger = pino({ redact: redaction }, { write: (line: string) => void lines.push(line) })
  logger.info({
    password: 'hush',
    token: 'hush',
    headers: { authorization: 'hush' },
    body: { newPassword: 'hush' },
  })
  expect(lines.join()).not.toContain('hush')
})
