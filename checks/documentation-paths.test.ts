import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesOf, root } from './source-files.ts'

const pages = filesOf('*.md')
const read = (page: string): string => readFileSync(join(root, page), 'utf8')

/** A page may name a path from the root, from the server, from the features or from its own folder. */
const basesOf = (page: string): string[] => ['', 'server/src', 'server/src/features', dirname(page)]
const exists = (page: string, path: string): boolean =>
  basesOf(page).some((base) => existsSync(join(root, base, path)))

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

describe('documentation', () => {
  it('draws only files of the architecture that exist', () => {
    const text = read('docs/architecture.md')
    const quoted = [...text.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, path = '']) => path)
    const drawn = [...text.matchAll(/(?<![\w/`.-])([\w-]+\/[\w./-]*\.(?:ts|tsx|cfg|sql|md))\b/g)].map(
      ([, path = '']) => path,
    )
    expect(drawn.length).toBeGreaterThan(40)
    expect([...quoted, ...drawn].filter((path) => !exists('docs/architecture.md', path))).toEqual([])
  })

  it('names only files and folders that exist', () => {
    const folders = [...new Set(filesOf('*/*').map((path) => path.split('/')[0]))].join('|')
    const path = new RegExp(`\`((?:${folders})/[\\w./-]*)\``, 'g')
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(path)]
        .filter(([, named = '']) => !exists(page, named))
        .map(([, named]) => `${page}: ${named}`),
    )
    expect(missing).toEqual([])
  })

  it('links only to pages and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, path = '', anchor]) => {
          const target = path === '' ? page : join(dirname(page), path)
          if (!existsSync(join(root, target))) return true
          if (anchor === undefined) return false
          return ![...read(target).matchAll(/^#+ (.+)$/gm)].some(
            ([, heading = '']) => anchorOf(heading) === anchor,
          )
        })
        .map(([link]) => `${page}: ${link}`),
    )
    expect(broken).toEqual([])
  })
})
