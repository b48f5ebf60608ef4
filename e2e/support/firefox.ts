import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from '@playwright/test'

/** Debian's Firefox, controlled by WebDriver BiDi. Playwright needs a Firefox of its own, which is not in Debian. */
export type Firefox = {
  /** Runs the script before those of every page. */
  prepare(script: string): Promise<void>
  goto(url: string): Promise<void>
  /** The value of an expression, which may be a promise. Only JSON values. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Clicks the visible element with this name: its label, else its text. */
  click(name: string, role?: 'button' | 'link'): Promise<void>
  /** Types into the field with this label. */
  fill(label: string, text: string): Promise<void>
  /** Waits until the page shows the text. */
  shows(text: string): Promise<void>
  close(): Promise<void>
}

/** A fake microphone that plays a tone, and no questions about it. */
const PREFERENCES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  // The portal and the switch are on the loopback.
  'media.peerconnection.ice.loopback': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'app.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
}

/** `document` and the others are those of the page. */
const FIND = `(name, selector) => [...document.querySelectorAll(selector)].find((element) =>
  element.checkVisibility() && ((element.getAttribute('aria-label') ?? element.textContent).trim() === name))`

export async function openFirefox(): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'))
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const child = spawn(
    'firefox-esr',
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile, MOZ_HEADLESS: '1' } },
  )
  const address = await addressOf(child)
  const send = await connect(`${address}/session`)
  await send('session.new', { capabilities: {} })
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const context = contexts[0]?.context ?? ''
  await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 800 } })

  async function evaluate<Value>(expression: string): Promise<Value> {
    const wrapped = `(async () => JSON.stringify(await (${expression})))()`
    const answer = (await send('script.evaluate', {
      expression: wrapped,
      target: { context },
      awaitPromise: true,
    })) as { type: string; result?: { value?: string }; exceptionDetails?: { text: string } }
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails?.text)
    return answer.result?.value === undefined ? (undefined as Value) : JSON.parse(answer.result.value)
  }

  /** Clicks the middle of the element that the expression returns, as soon as there is one. */
  async function clickOn(expression: string): Promise<void> {
    type Point = { x: number; y: number }
    const place = `(() => {
      const element = ${expression}
      if (!element || element.disabled) return null
      element.scrollIntoView({ block: 'center' })
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
    })()`
    let point: Point | null = null
    await expect
      .poll(
        async () => {
          point = await evaluate<Point | null>(place)
          return point !== null
        },
        { message: expression },
      )
      .toBe(true)
    const actions = [
      { type: 'pointerMove', ...(point as unknown as Point) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
  }

  return {
    evaluate,
    prepare: async (script) =>
      void (await send('script.addPreloadScript', { functionDeclaration: `() => { ${script} }` })),
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    click: (name, role = 'button') =>
      clickOn(
        `(${FIND})(${JSON.stringify(name)}, ${JSON.stringify(role === 'link' ? 'a' : 'button:not([role]), [role=button]')})`,
      ),
    async fill(label, text) {
      const field = `([...document.querySelectorAll('label')].find((each) => each.checkVisibility() && each.textContent.trim() === ${JSON.stringify(label)})?.control
          ?? document.querySelector('[aria-label=' + ${JSON.stringify(JSON.stringify(label))} + ']'))`
      // The page may move between the search for the field and the click.
      const isFocused = async () => {
        await clickOn(field)
        return evaluate<boolean>(`document.activeElement === ${field}`)
      }
      await expect.poll(isFocused, { message: `the focus of ${label}` }).toBe(true)
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    shows: (text) =>
      expect
        .poll(() => evaluate<string>('document.body.innerText'), { message: `the text "${text}"` })
        .toContain(text),
    async close() {
      const isGone = once(child, 'exit')
      child.kill()
      await isGone
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('Firefox has no output')
  for await (const line of createInterface(child.stderr)) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    child.stderr.resume()
    return address
  }
  throw new Error('Firefox did not start')
}

type Answer = { id?: number; type: string; result?: unknown; error?: string; message?: string }

async function connect(url: string): Promise<(method: string, params: object) => Promise<unknown>> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  }
  await once(socket, 'open')
  let lastId = 0
  return (method, params) =>
    new Promise((resolve, reject) => {
      lastId += 1
      const id = lastId
      waiting.set(id, (answer) => {
        waiting.delete(id)
        if (answer.type === 'success') resolve(answer.result)
        else reject(new Error(`${method}: ${answer.error} ${answer.message}`))
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
}
