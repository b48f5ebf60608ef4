import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isScreen } from '../contract/screens.ts'

it('the server answers every path of the router with the page', () => {
  const text = readFileSync(new URL('../web/src/app/router.tsx', import.meta.url), 'utf8')
  let area = ''
  const paths: string[] = []
  for (const [, indent = '', path = ''] of text.matchAll(/^( +)path: '([^']+)'/gm)) {
    // Paths of a layout's screens are indented, and relative to the layout.
    if (indent.length === 2) area = path
    paths.push(indent.length === 2 ? path : `${area}${path}`.replace('$id', '7'))
  }
  expect(paths.length).toBeGreaterThan(20)
  // The samples of components are not part of the product.
  expect(paths.filter((path) => !isScreen(path) && !path.endsWith('/dev/ui'))).toEqual([])
})
