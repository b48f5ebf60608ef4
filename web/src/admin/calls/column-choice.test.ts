import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { choices, recallColumns, rememberColumns } from './column-choice.ts'

const KEY = 'admin-calls-columns'
let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

it('remembers hidden and shown columns', () => {
  const choice = { ...choices, Carrier: false, Route: true }
  rememberColumns(choice)
  expect(recallColumns()).toEqual(choice)
  expect(stored.get(KEY)).toBe('{"Carrier":false,"Route":true}')
})

it('stores nothing for the default', () => {
  rememberColumns({ ...choices, Status: false })
  rememberColumns({ ...choices })
  expect(stored.size).toBe(0)
})

it.each(['', 'null', '7', '[]', '{"Carrier":"no","Other":false}'])('uses the default for %j', (text) => {
  stored.set(KEY, text)
  expect(recallColumns()).toEqual(choices)
})

it('works without storage', () => {
  vi.unstubAllGlobals()
  rememberColumns({ ...choices, Status: false })
  expect(recallColumns()).toEqual(choices)
})
