import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectCallControl } from './test/call-control.ts'
import { startMerchant } from './test/merchant.ts'
import {
  type Created,
  type Envelope,
  type Information,
  jsonOf,
  KEY,
  temporaryFolder,
} from './test/provider.ts'

interface Ports {
  mailboxSmtpPort: number
  mailboxHttpPort: number
  paymentPort: number
  switchPort: number
  switchControlPort: number
}

const children: ChildProcess[] = []
let place: ReturnType<typeof temporaryFolder>

function launch(settings: Record<string, string>): ChildProcess {
  const env = { ...process.env, SANDBOX_FOLDER: place.folder, SANDBOX_MERCHANT_KEY: KEY, ...settings }
  const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)), {
    env,
    execArgv: [],
    silent: true,
  })
  children.push(child)
  return child
}

async function start(settings: Record<string, string> = {}): Promise<{ child: ChildProcess; ports: Ports }> {
  const child = launch(settings)
  const [message] = await once(child, 'message')
  return { child, ports: message.ready }
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

beforeEach(() => {
  place = temporaryFolder()
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    await ended(child)
  }
  place.remove()
})

const post = (port: number, path: string, body: unknown) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', merchant_api_key: KEY },
    body: JSON.stringify(body),
  })
const read = <T>(port: number, path: string) =>
  jsonOf<T>(fetch(`http://127.0.0.1:${port}${path}`, { headers: { merchant_api_key: KEY } }))
const statusOf = async (port: number, trackId: string) =>
  (await read<Envelope<Information>>(port, `/v1/payment/${trackId}`)).data.status

describe('the sandbox as a process', () => {
  it('reports its ports and ends cleanly on SIGTERM', async () => {
    const { child, ports } = await start()
    expect(await read(ports.mailboxHttpPort, '/messages')).toEqual({ messages: [] })
    expect((await fetch(`http://127.0.0.1:${ports.paymentPort}/sandbox`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${ports.switchControlPort}/sandbox`)).status).toBe(200)
    const control = await connectCallControl(ports.switchPort)
    expect(await control.waitFor('hello')).toMatchObject({ switch: 'demo', demo: true })
    child.kill('SIGTERM')
    expect(await ended(child)).toBe(0)
  })

  it('generates calls by default', async () => {
    const isOn = async (settings: Record<string, string>) => {
      const { ports } = await start(settings)
      return (await read<{ isTrafficOn: boolean }>(ports.switchControlPort, '/sandbox/state')).isTrafficOn
    }
    expect(await isOn({})).toBe(true)
    expect(await isOn({ SANDBOX_TRAFFIC: 'off' })).toBe(false)
  })

  it('ignores SIGINT and ends when the launcher exits', async () => {
    const { child, ports } = await start()
    child.kill('SIGINT')
    expect(await read(ports.mailboxHttpPort, '/messages')).toEqual({ messages: [] })
    child.disconnect()
    expect(await ended(child)).toBe(0)
  })

  it('reports a missing setting and exits', async () => {
    const child = launch({ SANDBOX_MERCHANT_KEY: '' })
    const [words] = await once(child.stderr ?? child, 'data')
    expect(String(words)).toBe('sandbox: SANDBOX_MERCHANT_KEY is not set\n')
    expect(await ended(child)).toBe(1)
  })

  it('keeps invoices, clock and unsent callbacks after a kill -9', async () => {
    const merchant = await startMerchant()
    merchant.answerWith(503, 'down')
    const first = await start()
    const body = { amount: 20, lifetime: 30, callback_url: merchant.callbackUrl, order_id: 'ORD-9' }
    const create = async () =>
      (await jsonOf<Envelope<Created>>(post(first.ports.paymentPort, '/v1/payment/invoice', body))).data
        .track_id
    const [paid, open] = [await create(), await create()]
    await post(first.ports.paymentPort, `/sandbox/pay/${paid}`, {})
    await post(first.ports.paymentPort, '/sandbox/advance', { seconds: 30 })
    first.child.kill('SIGKILL')
    await ended(first.child)
    merchant.answerWith(200, 'ok')
    merchant.received.splice(0)

    const { ports } = await start()
    expect(await statusOf(ports.paymentPort, paid)).toBe('paid')
    await post(ports.paymentPort, '/sandbox/advance', { seconds: 30 * 60 })
    expect(await statusOf(ports.paymentPort, open)).toBe('expired')
    const received = merchant.received.map((one) => [one.body.track_id, one.body.status])
    expect(received).toEqual([
      [paid, 'Paying'],
      [paid, 'Paid'],
      [open, 'Expired'],
    ])
    await merchant.close()
  })
})
