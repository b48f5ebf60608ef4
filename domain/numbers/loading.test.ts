import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/** All modules that a module loads at run time, including itself. Type imports load nothing. */
function loadedBy(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  if (!path.endsWith('.ts')) return seen
  const imports = readFileSync(path, 'utf8').matchAll(/^(?:import|export)(?! type\b)[^;]*?from '([^']+)'/gm)
  for (const [, to = ''] of imports) loadedBy(to.startsWith('.') ? resolve(dirname(path), to) : to, seen)
  return seen
}

const loads = (folder: string) =>
  [...loadedBy(resolve(import.meta.dirname, '..', folder, 'index.ts'))].some((path) =>
    path.startsWith('libphonenumber-js'),
  )

describe('the numbering plans', () => {
  test.each(['countries', 'rating', 'routing', 'guards', 'callcontrol'])(
    'are not loaded with %s',
    (folder) => {
      expect(loads(folder)).toBe(false)
    },
  )

  test('are loaded with numbers', () => {
    expect(loads('numbers')).toBe(true)
  })
})
