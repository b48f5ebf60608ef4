import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { frequenciesOf } from '../dtmf.ts'
import { encode } from '../encode.ts'
import type { IncomingCall } from '../endpoint.ts'
import { encodeG711 } from '../g711.ts'
import { join, signature, silence, tone } from '../tones.ts'
import { freePort, HOST, promptsIn, record, start, talk } from './support.ts'

/** SIPp is an independent implementation of SIP and RTP. */
type Sipp = { ended: Promise<{ code: number | null; errors: string }> }

/** Not an error: SIPp reports that it got no processor time. */
const OVERLOAD = /^.*Overload warning: .*trips remaining\.\s*$/gm

async function sipp(scenario: string, args: string[], sound?: Int16Array): Promise<Sipp> {
  const folder = await mkdtemp(joinPath(tmpdir(), 'media-sipp-'))
  const source = fileURLToPath(new URL(`scenarios/${scenario}.xml`, import.meta.url))
  let text = await readFile(source, 'utf8')
  if (sound) {
    const file = joinPath(folder, 'sound.al')
    await writeFile(file, encodeG711(sound, 'alaw'))
    text = text
      .replaceAll('[media_port]', '[rtpstream_audio_port]')
      .replace('<!-- sound -->', `<nop><action><exec rtp_stream="${file},1,8,PCMA/8000"/></action></nop>`)
  }
  await writeFile(joinPath(folder, 'scenario.xml'), text)
  const common = ['-sf', 'scenario.xml', '-i', HOST, '-mi', HOST, '-t', 't1', '-nostdin', '-timeout', '50s']
  const child = spawn('sipp', [...args, ...common, '-trace_err', '-error_file', 'errors'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const errors = async () =>
    (await readFile(joinPath(folder, 'errors'), 'utf8').catch(() => ''))
      .replace(OVERLOAD, '')
      .replace(/^The following events occurred:\s*$/, '')
  return { ended: code.then(async (ended) => ({ code: ended, errors: await errors() })) }
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, HOST, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

const ports = async (port?: number) => [
  ...['-p', String(port ?? (await freePort()))],
  ...['-mp', String(await freePort())],
]

/** Plays a sound to SIPp, which echoes it, until it was heard. */
async function echoed(incoming: IncomingCall): Promise<number[]> {
  const conversation = await incoming.answer()
  const heard = record(conversation)
  const number = Number(incoming.from.user)
  await conversation.play(encode(join(silence(100), signature(number)))).done
  await expect.poll(() => promptsIn(heard())).toEqual([number])
  conversation.hangUp()
  return promptsIn(heard())
}

describe('SIPp', () => {
  it('calls twenty times at once and echoes each prompt', async () => {
    const heard: Promise<number[]>[] = []
    const ivr = await start((incoming) => heard.push(echoed(incoming)))
    const args = [`${HOST}:${ivr.port}`, '-s', 'flow', ...(await ports()), '-rtp_echo']
    const run = await sipp('caller', [...args, '-m', '20', '-l', '20', '-r', '40'])
    expect(await run.ended).toEqual({ code: 0, errors: '' })
    const numbers = (await Promise.all(heard)).flat()
    expect(numbers.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    )
  })

  it('presses keys as tones and speaks', async () => {
    const press = [...'4#'].flatMap((key) => [silence(100), tone({ hz: frequenciesOf(key) ?? [], ms: 120 })])
    const sound = join(silence(300), ...press, silence(200), signature(7), silence(400))
    const ivr = await start(async (incoming) => {
      const conversation = await incoming.answer()
      const heard = record(conversation)
      let keys = ''
      conversation.onKey((key) => {
        keys += key
      })
      await expect.poll(() => promptsIn(heard())).toEqual([7])
      expect(keys).toBe('4#')
      conversation.hangUp()
    })
    const run = await sipp(
      'caller',
      [`${HOST}:${ivr.port}`, '-s', 'flow', ...(await ports()), '-m', '1'],
      sound,
    )
    expect(await run.ended).toEqual({ code: 0, errors: '' })
  })

  it('is called with a digest, and echoes', async () => {
    const port = await freePort()
    const run = await sipp('called', [...(await ports(port)), '-rtp_echo', '-m', '1'])
    await expect.poll(() => accepts(port)).toBe(true)
    const conversation = await talk(await start(), { port })
    const heard = record(conversation)
    await conversation.play(encode(signature(11))).done
    await expect.poll(() => promptsIn(heard())).toEqual([11])
    conversation.hangUp()
    expect(await run.ended).toEqual({ code: 0, errors: '' })
  })
})
