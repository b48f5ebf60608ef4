import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../test/provider.ts'
import { openJsonLines } from './json-lines.ts'

let place: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  place = temporaryFolder()
})
afterEach(() => place.remove())

it('reads all records and skips a line that was truncated by a kill', () => {
  const path = join(place.folder, 'deep', 'records.jsonl')
  openJsonLines<number>(path).file.append(1)
  appendFileSync(path, '{"half":')
  const second = openJsonLines<number>(path)
  expect(second.records).toEqual([1])
  second.file.append(2)
  expect(openJsonLines<number>(path).records).toEqual([1, 2])
  expect(readFileSync(path, 'utf8')).toBe('1\n2\n')
})

it('replaces the whole file', () => {
  const path = join(place.folder, 'records.jsonl')
  const { file } = openJsonLines<string>(path)
  file.append('old')
  file.rewrite(['new'])
  file.append('newer')
  expect(openJsonLines<string>(path).records).toEqual(['new', 'newer'])
})
