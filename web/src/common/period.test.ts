import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readDay, spanOf, writeDay } from './period.ts'

beforeEach(() => void vi.stubEnv('TZ', 'America/New_York'))
afterEach(() => void vi.unstubAllEnvs())

const none = {}

describe('in New York', () => {
  it('today is the local calendar day, not the UTC day', () => {
    expect(spanOf('today', none, new Date('2026-11-16T02:00:00Z'))).toEqual({
      from: '2026-11-15T05:00:00.000Z',
      to: '2026-11-16T05:00:00.000Z',
    })
  })

  it('a day on which clocks go back has 25 hours', () => {
    expect(spanOf('today', none, new Date('2026-11-01T12:00:00Z'))).toEqual({
      from: '2026-11-01T04:00:00.000Z',
      to: '2026-11-02T05:00:00.000Z',
    })
  })

  it('a week is the last seven days until now', () => {
    expect(spanOf('week', none, new Date('2026-11-15T12:34:56Z'))).toEqual({
      from: '2026-11-08T12:34:56.000Z',
    })
  })

  it('a month starts one calendar month ago', () => {
    expect(spanOf('month', none, new Date('2026-07-15T12:00:00Z'))).toEqual({
      from: '2026-06-15T12:00:00.000Z',
    })
  })

  it('uses the last day of a shorter month', () => {
    expect(spanOf('month', none, new Date('2026-03-31T16:00:00Z')).from).toBe('2026-02-28T17:00:00.000Z')
    expect(spanOf('month', none, new Date('2028-03-31T16:00:00Z')).from).toBe('2028-02-29T17:00:00.000Z')
  })

  it('a custom range includes its first and last day', () => {
    expect(spanOf('custom', { from: '2026-11-14', to: '2026-11-15' }, new Date())).toEqual({
      from: '2026-11-14T05:00:00.000Z',
      to: '2026-11-16T05:00:00.000Z',
    })
  })

  it('either end of a custom range is optional', () => {
    expect(spanOf('custom', { from: '2026-11-14' }, new Date())).toEqual({ from: '2026-11-14T05:00:00.000Z' })
    expect(spanOf('custom', { to: '2026-11-14' }, new Date())).toEqual({ to: '2026-11-15T05:00:00.000Z' })
    expect(spanOf('custom', none, new Date())).toEqual({})
  })

  it('reads the IANA name of the time zone once', async () => {
    vi.resetModules()
    const { viewersZone } = await import('./format/viewer.ts')
    expect(viewersZone()).toBe('America/New_York')
    vi.stubEnv('TZ', 'Europe/Berlin')
    expect(viewersZone()).toBe('America/New_York')
  })
})

describe('days', () => {
  it('parses ISO dates and rejects everything else', () => {
    expect(readDay('2026-02-28')).toBe('2026-02-28')
    for (const written of ['2026-02-30', '2026-13-01', '2026-2-3', 'yesterday', '', '2026-11-15T00:00'])
      expect(readDay(written)).toBeNull()
  })

  it('rejects the years that a date field reports while one is typed', () => {
    for (const written of ['0002-11-15', '0020-11-15', '0202-11-15']) expect(readDay(written)).toBeNull()
    expect(readDay('2026-11-15')).toBe('2026-11-15')
  })

  it('formats a date in the time zone of the viewer', () => {
    expect(writeDay(new Date('2026-11-16T02:00:00Z'))).toBe('2026-11-15')
  })
})
