import { createStoredSounds } from '../src/adapters/stored-sounds.ts'

/** A process that records until it is killed: 20 ms of sound every 20 ms. It reports how many samples it has appended. */
const [folder = '', key = ''] = process.argv.slice(2)
const sounds = createStoredSounds({ folder, keys: [Buffer.from(key, 'hex')], objects: null })
const writer = sounds.create('killed', 1)
let appended = 0
setInterval(() => {
  writer.append(Uint8Array.from({ length: 160 }, (_, at) => (appended + at) % 251))
  appended += 160
  process.send?.(appended)
}, 20)
