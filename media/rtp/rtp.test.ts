import { createSocket, type Socket } from 'node:dgram'
import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyPayload } from '../dtmf.ts'
import { encodeG711, SILENCE, ULAW_TO_ALAW } from '../g711.ts'
import { HEADER, noFields, readRtp, writeHeader } from './packet.ts'
import { createPlayout } from './playout.ts'
import { createRtpPorts } from './ports.ts'
import { createSender } from './sender.ts'
import { createRtpSession } from './session.ts'
import { createTicker } from './ticker.ts'

describe('an RTP packet', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 127 }),
        fc.boolean(),
        fc.nat({ max: 0xffff }),
        fc.nat({ max: 0xffffffff }),
        fc.nat({ max: 0xffffffff }),
        fc.nat({ max: 200 }),
        (type, hasMarker, sequence, timestamp, source, length) => {
          const packet = Buffer.alloc(HEADER + length)
          writeHeader(packet, type, hasMarker, sequence, timestamp, source)
          const fields = noFields()
          expect(readRtp(packet, fields)).toBe(true)
          expect(fields).toEqual({ type, hasMarker, sequence, timestamp, source, start: HEADER, length })
        },
      ),
    )
  })

  it('never points outside its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const fields = noFields()
        const isRtp = readRtp(Buffer.from(bytes), fields)
        expect(!isRtp || (fields.start >= HEADER && fields.start + fields.length <= bytes.length)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('playout', () => {
  const LENGTH = 160
  /** Packet n holds the byte n + 1. */
  const packets = (count: number) => Array.from({ length: count }, (_, at) => at)

  /** Writes packets in slots of 20 ms and reads one packet per slot. Returns the first byte of each. */
  function play(
    slots: readonly (readonly number[])[],
    start: number,
    law: 'alaw' | 'ulaw' = 'alaw',
  ): number[] {
    const playout = createPlayout()
    const heard: number[] = []
    const read = () => {
      const packet = playout.read()
      if (packet.some((byte) => byte !== packet[0])) throw new Error('mixed')
      heard.push(packet[0] ?? 0)
    }
    for (const slot of slots) {
      for (const number of slot) {
        const bytes = new Uint8Array(LENGTH).fill(number + 1)
        playout.write((start + number * LENGTH) >>> 0, 9, bytes, 0, LENGTH, law)
      }
      read()
    }
    while (playout.pending() > 0) read()
    return heard
  }

  it('restores the order and fills gaps with silence', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 0xffffffff }),
        fc.array(fc.record({ delay: fc.nat({ max: 3 }), isLost: fc.boolean() }), {
          minLength: 1,
          maxLength: 60,
        }),
        (start, fates) => {
          const [, ...rest] = fates
          const all = [{ delay: 0, isLost: false }, ...rest]
          const slots = packets(all.length + 4).map((slot) =>
            packets(all.length).filter((at) => !all[at]?.isLost && at + (all[at]?.delay ?? 0) === slot),
          )
          const heard = play(slots, start).slice(5, 5 + all.length)
          const expected = all.map(({ isLost }, at) => (isLost ? SILENCE.alaw : at + 1))
          expect(heard.slice(0, expected.length)).toEqual(expected.slice(0, heard.length))
          expect(expected.slice(heard.length).every((byte) => byte === SILENCE.alaw)).toBe(true)
        },
      ),
    )
  })

  it('keeps the audio that arrives in a burst after a stall of a second', () => {
    const before = packets(10).map((slot) => [slot])
    const stall = packets(10).map(() => [])
    const burst = packets(50).map((at) => 10 + at)
    const heard = play([...before, ...stall, burst, ...packets(10).map((at) => [60 + at])], 0)
    expect(heard.filter((byte) => byte !== SILENCE.alaw)).toEqual(packets(70).map((at) => at + 1))
  })

  it('does not repeat old audio in a long gap', () => {
    const slots = packets(400).map((slot) => (slot < 40 || slot === 399 ? [slot] : []))
    expect(
      play(slots, 0)
        .slice(45, 399)
        .every((byte) => byte === SILENCE.alaw),
    ).toBe(true)
  })

  it('turns µ-law into A-law', () => {
    const [byte = 0] = encodeG711(Int16Array.of(1_000), 'ulaw')
    const playout = createPlayout()
    playout.write(0, 1, new Uint8Array(LENGTH).fill(byte), 0, LENGTH, 'ulaw')
    const heard = Array.from({ length: 6 }, () => playout.read()[0])
    expect(heard.at(-1)).toBe(ULAW_TO_ALAW[byte])
  })

  it('continues after a jump of the timestamp, a new source, and a sender that is late for long', () => {
    expect(
      play([[0], [1], [100_000], [100_001], [], [], [], []], 0).filter((byte) => byte !== SILENCE.alaw),
    ).toContain((100_001 + 1) & 0xff)
    const late = play([[0], ...packets(10).map(() => []), [1], [2], [3], [4], [5], [6]], 0)
    expect(late).toContain(7)
  })

  it('takes packets of any length', () => {
    const playout = createPlayout()
    for (let at = 0; at < 30; at++) playout.write(at * 80, 1, new Uint8Array(80).fill(1 + at), 0, 80, 'alaw')
    const bytes = Array.from({ length: 20 }, () => [...playout.read()]).flat()
    const expected = packets(30).flatMap((at) => Array.from({ length: 80 }, () => at + 1))
    expect(bytes.slice(800, 800 + 2_400)).toEqual(expected)
    playout.write(0, 2, new Uint8Array(20_000), 0, 20_000, 'alaw')
    expect(playout.pending()).toBe(0)
  })
})

describe('RTP ports', () => {
  it('are even, used in turn, and run out with an error', async () => {
    const ports = createRtpPorts('127.0.0.1', { first: 42_101, last: 42_106 })
    const sockets = [await ports.open(), await ports.open(), await ports.open()]
    expect(sockets.map((socket) => socket.address().port).toSorted()).toEqual([42_102, 42_104, 42_106])
    await expect(ports.open()).rejects.toThrow('No free RTP port')
    sockets[0]?.close()
    const again = await ports.open()
    expect(again.address().port % 2).toBe(0)
    for (const socket of [again, ...sockets.slice(1)]) socket.close()
  })
})

describe('the tick', () => {
  it('comes 50 times per second for each call, and survives a call that throws', async () => {
    const errors: unknown[] = []
    const ticker = createTicker((error) => errors.push(error))
    const counts = [0, 0, 0, 0, 0]
    const remove = counts.map((_, at) =>
      ticker.add(() => {
        counts[at] = (counts[at] ?? 0) + 1
        if (at === 0) throw new Error('broken')
      }),
    )
    const measure = async () => {
      const startedAt = performance.now()
      const before = [...counts]
      await new Promise((resolve) => setTimeout(resolve, 500))
      const expected = (performance.now() - startedAt) / 20
      return Math.max(...counts.map((count, at) => Math.abs(count - (before[at] ?? 0) - expected)))
    }
    // Again after a stall of the machine, when ticks are skipped.
    await expect.poll(measure).toBeLessThan(10)
    expect(errors.length).toBe(counts[0])
    for (const end of remove) end()
    const before = [...counts]
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(counts).toEqual(before)
    ticker.close()
  })

  it('receives the packets that have arrived between two overdue ticks', async () => {
    const ticker = createTicker(() => {})
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    let received = 0
    socket.on('message', () => received++)
    const waiting: number[] = []
    let sent = 0
    ticker.add(() => {
      waiting.push(sent - received)
      socket.send('', socket.address().port, '127.0.0.1')
      sent += 1
    })
    await expect.poll(() => sent).toBeGreaterThan(2)
    // Nine ticks become overdue.
    for (const until = performance.now() + 180; performance.now() < until; );
    await expect.poll(() => sent).toBeGreaterThan(20)
    expect(Math.max(...waiting)).toBeLessThan(5)
    ticker.close()
    socket.close()
  })
})

describe('a relayed key press without audio', () => {
  it.each([100, 400, 2_000])('of %s ms has one timestamp and no silence in it', (ms) => {
    const types: number[] = []
    const timestamps = new Set<number>()
    const sent = noFields()
    const sender = createSender((packet, length) => {
      readRtp(packet.subarray(0, length), sent)
      types.push(sent.type)
      if (sent.type === 101) timestamps.add(sent.timestamp)
    })
    sender.setFormat({ type: 8, law: 'alaw', keys: 101 })
    const packet = Buffer.alloc(HEADER + 160)
    const fields = { sequence: 0, source: 7, start: HEADER }
    const started = 160_000
    sender.forward(
      packet,
      { ...fields, type: 8, hasMarker: false, timestamp: started - 160, length: 160 },
      'alaw',
    )
    for (let duration = 160; duration <= ms * 8; duration += 160) {
      sender.tick()
      const isEnd = duration === ms * 8
      packet.set(keyPayload('5', duration, isEnd) ?? [], HEADER)
      const key = { ...fields, type: 101, hasMarker: duration === 160, timestamp: started, length: 4 }
      for (let times = isEnd ? 3 : 1; times > 0; times--) sender.forwardKey(packet, key)
    }
    expect(types).toEqual([8, ...Array.from({ length: ms / 20 + 2 }, () => 101)])
    expect(timestamps.size).toBe(1)
  })
})

describe('what is heard of two connected calls', () => {
  const TONE = encodeG711(
    Int16Array.from({ length: 160 }, (_, at) => 8_000 * Math.sin(at)),
    'alaw',
  )
  const QUIET = new Uint8Array(160).fill(SILENCE.alaw)
  const CLAP_SLOTS = 3

  /** A call whose packets are given by hand, 50 per second. */
  function newCall(port: number) {
    const ticks: (() => void)[] = []
    const ticker = {
      add(tick: () => void) {
        ticks.push(tick)
        return () => {}
      },
      close() {},
    }
    const socket = Object.assign(new EventEmitter(), {
      address: () => ({ port }),
      send() {},
      disconnect() {},
      close() {},
      connect: (_port: number, _address: string, done: () => void) => done(),
    })
    const remote = { address: '127.0.0.1', port: 4_000 + port }
    const session = createRtpSession(socket as unknown as Socket, ticker, {
      onKey() {},
      onDead() {},
      onError(error) {
        throw error
      },
    })
    session.aim({ ...remote, codecs: [{ type: 8, law: 'alaw' }], keys: 101, direction: 'sendrecv' })
    return {
      session,
      tick: () => ticks.forEach((each) => void each()),
      receive(slot: number, audio: Uint8Array) {
        const packet = Buffer.alloc(HEADER + audio.length)
        writeHeader(packet, 8, false, slot & 0xffff, slot * 160, port)
        packet.set(audio, HEADER)
        socket.emit('message', packet, remote)
      },
    }
  }

  it.each([500, 1_000, 1_980, 3_500])('stays aligned after gaps of %s ms', (gapMs) => {
    const caller = newCall(2)
    const callee = newCall(4)
    callee.session.relayTo(caller.session)
    caller.session.relayTo(callee.session)
    const claps = { left: [] as number[], right: [] as number[] }
    let slot = 0
    const listenFor = (side: 'left' | 'right') => (packet: Uint8Array) => {
      const isLoud = packet.some((byte) => byte !== SILENCE.alaw)
      const last = claps[side].at(-1)
      if (isLoud && (last === undefined || slot - last > CLAP_SLOTS)) claps[side].push(slot)
    }
    caller.session.listen(listenFor('left'))
    caller.session.listenToSent(listenFor('right'))
    const clapped: number[] = []
    for (; slot < 40 * 50; slot++) {
      const isClap = slot % 50 < CLAP_SLOTS
      caller.receive(slot, isClap ? TONE : QUIET)
      // Both clap together each second; the callee's phone sends nothing in the gap that follows each sixth second.
      const isGap = slot % 300 >= 100 && slot % 300 < 100 + gapMs / 20
      if (!isGap) callee.receive(slot, isClap ? TONE : QUIET)
      if (!isGap && slot % 50 === 0) clapped.push(slot + 5)
      caller.tick()
      callee.tick()
    }
    expect(claps.left).toHaveLength(40)
    expect(claps.right).toEqual(clapped)
    expect(claps.left).toEqual(expect.arrayContaining(claps.right))
  })
})

describe('a call without audio', () => {
  it('is reported after ten minutes, unless it is on hold', async () => {
    const socket = await createRtpPorts('127.0.0.1', { first: 42_110, last: 42_120 }).open()
    let tick = () => {}
    const ticker = {
      add(added: () => void) {
        tick = added
        return () => {}
      },
      close() {},
    }
    let dead = 0
    const onDead = () => {
      dead += 1
    }
    const session = createRtpSession(socket, ticker, { onKey() {}, onDead, onError() {} })
    const minutes = (count: number) => {
      for (let at = 0; at < count * 60 * 50; at++) tick()
    }
    const audio = {
      address: '127.0.0.1',
      port: 9,
      codecs: [{ type: 8, law: 'alaw' }],
      keys: null,
    } as const
    session.aim({ ...audio, direction: 'inactive' })
    minutes(30)
    session.aim({ ...audio, direction: 'sendrecv' })
    minutes(9.9)
    expect(dead).toBe(0)
    minutes(10)
    expect(dead).toBe(1)
    session.close()
  })
})
