import { expect, it } from 'vitest'
import { createByVersion } from './by-version.ts'

it('computes a result once per version and shares it with concurrent callers', async () => {
  const byVersion = createByVersion<object>()
  let made = 0
  const make = async () => ({ made: ++made })
  const [first, second] = await Promise.all([byVersion('1', make), byVersion('1', make)])
  expect(first).toBe(second)
  expect(await byVersion('1', make)).toBe(first)
  expect(await byVersion('2', make)).toEqual({ made: 2 })
})

it('retries after a failure', async () => {
  const byVersion = createByVersion<string>()
  await expect(byVersion('1', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await byVersion('1', async () => 'there')).toBe('there')
})
