import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

const page = readFileSync(join(root, 'docs/security.md'), 'utf8')

/** Levels 1 and 2 of OWASP ASVS 5.0. */
const ASVS_ITEMS = 253

describe('docs/security.md', () => {
  it('names only files and folders that exist', () => {
    const paths = [...page.matchAll(/`([a-z0-9]+\/[\w./-]+)`/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(100)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('gives every item of ASVS level 2 one state, and adds them up', () => {
    const states = new Map<string, string>()
    for (const [, items = '', state = ''] of page.matchAll(/^\| (\d+\.[^|]+) \| (met|open|n\/a) \|/gm))
      for (const [item] of items.matchAll(/\b\d+\.\d+\.\d+\b/g)) {
        expect(states.has(item), item).toBe(false)
        states.set(item, state)
      }
    const count = (state: string) => [...states.values()].filter((one) => one === state).length
    expect(states.size).toBe(ASVS_ITEMS)
    expect(page).toContain(
      `${count('met')} of ${ASVS_ITEMS} items are met, ${count('open')} are open and ${count('n/a')} do not apply.`,
    )
  })
})
