import { createHmac } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSpecialAddress } from '@trunkline/contract/hosts'
import { describe, expect, it } from 'vitest'
import { atEnd, forAll } from '../../../../test/lifetime.ts'
import { createMedia, pathOf, stepOf } from '../../../../test/media.ts'
import { createWebRequests } from '../../../adapters/web-requests.ts'
import type { WebRequests } from '../../../platform/web-requests.ts'

const setup = forAll(async () => {
  const media = await createMedia()
  const server = await media.start()
  let answer: RequestListener = (_, response) => response.end()
  const web = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    web.closeAllConnections()
    web.close()
  })
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/ask?x=1`
  return {
    media,
    server,
    url,
    answer: (given: RequestListener) => {
      answer = given
    },
  }
})

/** Runs a flow that asks and then sets a variable for each exit. Returns its path. */
async function askedPath(url: string, seconds = 20) {
  const { media, server } = setup()
  const userId = await media.newUser()
  const id = await media.newFlow(userId, [
    stepOf('http', 'ask', { url, seconds, saves: ['name', 'score'] }, { next: 'check' }),
    stepOf('compare', 'check', { left: '{{name}} {{score}}', comparison: 'is', right: 'Ada 7' }),
  ])
  const call = await media.call(server, { id, userId })
  const log = await media.ended(call)
  return { path: pathOf(log).slice(0, 2), log, call }
}

const forbidden = {
  ok: false,
  isTimeout: false,
  reason: 'The address is in a private network or belongs to this service.',
}

const post = (web: WebRequests, url: string) =>
  web.post({
    url,
    headers: {},
    body: '',
    timeoutMs: 2_000,
    maxBytes: 10,
    signal: new AbortController().signal,
  })

describe('the http step', () => {
  it('posts the variables with a signature, and saves fields of the answer', async () => {
    const { url, answer } = setup()
    const asked = { body: '', timestamp: '', signature: '', method: '' }
    answer(async (request, response) => {
      for await (const chunk of request) asked.body += chunk
      asked.method = request.method ?? ''
      asked.timestamp = String(request.headers['trunkline-timestamp'])
      asked.signature = String(request.headers['trunkline-signature'])
      response.end(JSON.stringify({ name: 'Ada', score: 7, other: 'x', nested: {} }))
    })
    const { path } = await askedPath(url)
    expect(path).toEqual(['ask: next', 'check: yes'])
    expect(asked.method).toBe('POST')
    expect(JSON.parse(asked.body)).toMatchObject({ caller: '12025550100', called: '442079460000' })
    const expected = createHmac('sha256', 'the secret')
      .update(`${asked.timestamp}.${asked.body}`)
      .digest('hex')
    expect(asked.signature).toBe(`v1=${expected}`)
  })

  it.each<[string, string, RequestListener]>([
    ['status 500', 'failed', (_, response) => response.writeHead(500).end('{}')],
    ['a redirect', 'failed', (_, response) => response.writeHead(302, { location: '/' }).end()],
    ['an answer that is no JSON', 'failed', (_, response) => response.end('<html>')],
    ['an answer that is no object', 'failed', (_, response) => response.end('[1]')],
    ['an answer over 64 kB', 'failed', (_, response) => response.end(`{"name":"${'x'.repeat(70_000)}"}`)],
    ['a cut connection', 'failed', (_, response) => response.destroy()],
    ['no answer in time', 'timeout', () => {}],
    ['half an answer in time', 'timeout', (_, response) => response.writeHead(200).write('{"name":')],
  ])('leaves with %s by %s', async (_name, exit, given) => {
    const { url, answer } = setup()
    answer(given)
    const { path } = await askedPath(url, exit === 'timeout' ? 1 : 20)
    expect(path[0]).toBe(`ask: ${exit}`)
  })

  it('leaves by failed if nobody listens or the address is wrong', async () => {
    expect((await askedPath('http://127.0.0.1:9/')).path[0]).toBe('ask: failed')
    expect((await askedPath('file:///etc/passwd')).path[0]).toBe('ask: failed')
    expect((await askedPath('not an address')).path[0]).toBe('ask: failed')
  })

  it.each([
    ['a NUL', 'Ada\u0000', 'Ada'],
    ['half a surrogate pair', 'Ada\ud800', 'Ada\ufffd'],
    ['a surrogate pair at the limit', `${'x'.repeat(999)}\u{1f600}`, `${'x'.repeat(999)}\ufffd`],
  ])('stores the log of a call whose answer contains %s', async (_name, name, saved) => {
    const { url, answer } = setup()
    answer((_, response) => response.end(JSON.stringify({ name, score: 7 })))
    const { log } = await askedPath(url)
    const event = { type: 'http', status: 200, variables: { name: saved, score: '7' } }
    expect(log).toContainEqual(expect.objectContaining({ event: expect.objectContaining(event) }))
  })

  it('ends the request when the caller hangs up', async () => {
    const { media, server, url, answer } = setup()
    let isClosed = false
    let isAsked = false
    answer((request) => {
      isAsked = true
      request.on('close', () => {
        isClosed = true
      })
    })
    const userId = await media.newUser()
    const id = await media.newFlow(userId, [stepOf('http', 'ask', { url, seconds: 20, saves: [] })])
    const call = await media.call(server, { id, userId })
    await expect.poll(() => isAsked).toBe(true)
    call.conversation.hangUp()
    await expect.poll(() => isClosed).toBe(true)
    expect(pathOf(await media.ended(call))).toEqual(['ask: null', 'ended: caller'])
  })

  it('does not reach private networks unless it is allowed', async () => {
    const { url } = setup()
    const web = createWebRequests({ allowsPrivate: false, isOwn: () => false })
    const { port } = new URL(url)
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0', '2130706433', '[::ffff:127.0.0.1]', '0x7f.1'])
      expect(await post(web, `http://${host}:${port}/`)).toEqual(forbidden)
    for (const address of [
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      'fd00::1',
      'fe80::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
    ])
      expect([address, isSpecialAddress(address)]).toEqual([address, true])
    for (const address of ['8.8.8.8', '172.32.0.1', '2a00:1450:4001::1'])
      expect([address, isSpecialAddress(address)]).toEqual([address, false])
  })

  it('does not reach public addresses of this machine and its switches', async () => {
    const own = ['8.8.8.8', '2a00:1450:4001::1']
    const resolved: string[] = []
    const web = createWebRequests({
      allowsPrivate: false,
      isOwn: (address) => own.includes(address),
      lookup: (name, _options, done) => {
        resolved.push(name)
        done(null, [
          { address: '8.8.4.4', family: 4 },
          { address: name === 'four.example' ? '8.8.8.8' : '2a00:1450:4001:0::1', family: 6 },
        ])
      },
    })
    for (const host of ['8.8.8.8', '134744072', '[::ffff:8.8.8.8]', '[2a00:1450:4001:0:0::1]'])
      expect(await post(web, `http://${host}/`)).toEqual(forbidden)
    for (const host of ['four.example', 'six.example'])
      expect(await post(web, `http://${host}/`)).toEqual(forbidden)
    expect(resolved).toEqual(['four.example', 'six.example'])
  })
})

describe('the mail step', () => {
  it('queues mails to valid addresses, at most 20 per hour of a customer and to a recipient', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const mail = { to: '{{to}}', subject: 'Call of {{caller}}\nBcc: x', text: 'Please call {{caller}}.' }
    const steps = (to: string, count: number) => [
      stepOf('set', 'set', { variable: 'to', value: to }, { next: 'mail0' }),
      ...Array.from({ length: count }, (_, at) =>
        stepOf('mail', `mail${at}`, mail, { next: `mail${at + 1}` }),
      ),
    ]
    const pathTo = async (to: string, count: number, sender = userId) => {
      const id = await media.newFlow(sender, steps(to, count))
      return pathOf(await media.ended(await media.call(server, { id, userId: sender })))
    }
    expect(await pathTo('a@b.example, c@d.example', 1)).toContain('mail0: failed')
    expect(await pathTo('ada@example.com', 22)).toContain('mail20: failed')
    expect(await pathTo('grace@example.com', 1)).toContain('mail0: failed')
    expect(await pathTo('Ada@Example.com', 1, await media.newUser())).toContain('mail0: failed')
    expect(media.mails).toHaveLength(20)
    expect(media.mails[0]).toEqual({
      to: 'ada@example.com',
      subject: 'Call of 12025550100 Bcc: x',
      text: 'Please call 12025550100.',
    })
  })
})
