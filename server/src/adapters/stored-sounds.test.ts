import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startObjectStore } from '../../test/object-store.ts'
import { soundKeyFromFile } from '../platform/sound-key.ts'
import { createObjectStore } from './object-store.ts'
import { createStoredSounds } from './stored-sounds.ts'

const key = randomBytes(32)
const pattern = (length: number, from = 0) => Uint8Array.from({ length }, (_, at) => (from + at) % 251)
const local = (file: string) => ({ file, storage: 'folder' as const })

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sounds-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function newSounds() {
  const folder = await newFolder()
  return { folder, sounds: createStoredSounds({ folder, keys: [key], objects: null }) }
}

it.each([1, 2] as const)('returns the samples of %s channels as they were appended', async (channels) => {
  const { folder, sounds } = await newSounds()
  const writer = sounds.create('message', channels)
  const samples = pattern(channels * 20_100)
  for (let at = 0; at < samples.length; at += 160 * channels)
    writer.append(samples.subarray(at, at + 160 * channels))
  expect(await writer.close()).toBe(20_100)
  const read = await sounds.read(local('message'))
  expect(read?.channels).toBe(channels)
  expect(Buffer.compare(Buffer.from(read?.samples ?? []), Buffer.from(samples))).toBe(0)
  const file = await readFile(join(folder, 'message'))
  expect(file.includes(Buffer.from(samples.subarray(0, 50)))).toBe(false)
  expect((await stat(join(folder, 'message'))).mode & 0o777).toBe(0o600)
})

it('returns null for a file that does not exist, and removes files', async () => {
  const { folder, sounds } = await newSounds()
  await sounds.create('message', 1).close()
  expect((await sounds.read(local('message')))?.samples).toHaveLength(0)
  await sounds.remove(local('message'))
  await sounds.remove(local('message'))
  expect(await sounds.read(local('message'))).toBeNull()
  expect(await readdir(folder)).toEqual([])
})

it('refuses a second writer of the same file and names with a path', async () => {
  const { sounds } = await newSounds()
  const first = sounds.create('message', 1)
  first.append(pattern(100))
  await first.close()
  const second = sounds.create('message', 1)
  second.append(pattern(9_000))
  await expect(second.close()).rejects.toThrow('EEXIST')
  expect((await sounds.read(local('message')))?.samples).toHaveLength(100)
  expect(() => sounds.create('../message', 1)).toThrow('not a name')
})

it('leaves out an incomplete chunk at the end', async () => {
  const { folder, sounds } = await newSounds()
  const writer = sounds.create('message', 1)
  writer.append(pattern(24_000))
  await writer.close()
  const { size } = await stat(join(folder, 'message'))
  await truncate(join(folder, 'message'), size - 1)
  expect((await sounds.read(local('message')))?.samples).toHaveLength(16_000)
  await appendFile(join(folder, 'message'), Buffer.alloc(1))
  expect((await sounds.read(local('message')))?.samples).toHaveLength(16_000)
})

it('refuses chunks that were swapped, changed or taken from another file', async () => {
  const { folder, sounds } = await newSounds()
  for (const name of ['one', 'two']) {
    const writer = sounds.create(name, 1)
    writer.append(pattern(24_000))
    await writer.close()
  }
  const file = await readFile(join(folder, 'one'))
  const chunk = 32 + 8_000
  const [head, ...chunks] = [0, 1, 2, 3].map((at) =>
    at === 0 ? file.subarray(0, 18) : file.subarray(18 + (at - 1) * chunk, 18 + at * chunk),
  )
  const [first, second, third] = chunks
  const rewrite = (...parts: (Buffer | undefined)[]) =>
    writeFile(join(folder, 'one'), Buffer.concat(parts.flatMap((part) => part ?? [])))
  await rewrite(head, second, first, third)
  await expect(sounds.read(local('one'))).rejects.toThrow('damaged in second 1')
  await rewrite(head, first, third, second)
  await expect(sounds.read(local('one'))).rejects.toThrow('damaged in second 2')
  await writeFile(join(folder, 'one'), await readFile(join(folder, 'two')))
  await expect(sounds.read(local('one'))).rejects.toThrow('damaged in second 1')
})

it('names a wrong key, and reads old files after the key has changed', async () => {
  const { folder, sounds } = await newSounds()
  const writer = sounds.create('message', 1)
  writer.append(pattern(100))
  await writer.close()
  const other = createStoredSounds({ folder, keys: [randomBytes(32)], objects: null })
  await expect(other.read(local('message'))).rejects.toThrow('encrypted with another key')
  const rotated = createStoredSounds({ folder, keys: [randomBytes(32), key], objects: null })
  expect((await rotated.read(local('message')))?.samples).toEqual(Buffer.from(pattern(100)))
})

it('creates a key file that only its user can read, once', async () => {
  const path = join(await newFolder(), 'data', 'sound.key')
  const created = soundKeyFromFile(path)
  expect(created).toHaveLength(32)
  expect(soundKeyFromFile(path)).toEqual(created)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await writeFile(path, 'short')
  expect(() => soundKeyFromFile(path)).toThrow('does not contain a key')
})

it('loses at most a second when the writing process is killed', async () => {
  const { folder, sounds } = await newSounds()
  const child = fork(join(import.meta.dirname, '../../test/sound-writing.ts'), [folder, key.toString('hex')])
  let appended = 0
  await new Promise<void>((resolve) => {
    child.on('message', (count) => {
      appended = Number(count)
      if (appended > 19_000) resolve()
    })
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { samples } = (await sounds.read(local('killed'))) ?? { samples: new Uint8Array() }
  expect(samples.length).toBeGreaterThanOrEqual(appended - 8_000)
  expect(samples).toEqual(Buffer.from(pattern(samples.length)))
})

async function withObjectStore() {
  const store = await startObjectStore()
  const folder = await newFolder()
  const sounds = createStoredSounds({ folder, keys: [key], objects: createObjectStore(store.settings) })
  return { store, folder, sounds }
}

it('moves a finished file to the object store, still encrypted, and reads it from there', async () => {
  const { store, folder, sounds } = await withObjectStore()
  const writer = sounds.create('message', 2)
  writer.append(pattern(20_000))
  await writer.close()
  const sealed = await readFile(join(folder, 'message'))
  const kept = await sounds.keep(local('message'))
  expect(kept).toEqual({ file: 'message', storage: 's3' })
  expect(store.objects.get('message')).toEqual(sealed)
  expect(await readdir(folder)).toEqual([])
  for (const place of [kept, local('message')])
    expect(await sounds.read(place)).toEqual({ channels: 2, samples: Buffer.from(pattern(20_000)) })
  expect(await sounds.keep(local('message'))).toEqual(kept)
  const without = createStoredSounds({ folder, keys: [key], objects: null })
  await expect(without.read(kept)).rejects.toThrow('SOUND_S3_URL')
  await sounds.remove(kept)
  expect(await sounds.read(kept)).toBeNull()
})

it('keeps the local file while the object store fails or refuses the credentials', async () => {
  const { store, folder, sounds } = await withObjectStore()
  const writer = sounds.create('message', 1)
  writer.append(pattern(100))
  await writer.close()
  store.state.isFailing = true
  await expect(sounds.keep(local('message'))).rejects.toThrow('answered 503 to PUT message')
  store.state.isFailing = false
  const stranger = createObjectStore({ ...store.settings, secret: 'other' })
  const unsigned = createStoredSounds({ folder, keys: [key], objects: stranger })
  await expect(unsigned.keep(local('message'))).rejects.toThrow('answered 403')
  expect(store.objects.size).toBe(0)
  expect((await sounds.read(local('message')))?.samples).toHaveLength(100)
})
