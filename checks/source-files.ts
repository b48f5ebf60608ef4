import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url))

export type SourceFile = { path: string; text: string; imports: string[] }

/** Every file git knows or would add, so that a rule holds before a commit and not only after it. */
export function filesOf(...patterns: string[]): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)))
}

export const sources = (): SourceFile[] =>
  filesOf('*.ts', '*.tsx').map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
      ([, specifier = '']) => specifier,
    )
    return { path, text, imports: specifiers.map((specifier) => resolve(path, specifier)) }
  })

/** The path of an import from the root. Packages keep their name. */
function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  return specifier.replace(/^@trunkline\//, '')
}

export const isTest = (path: string): boolean => /\.test\.tsx?$|\/test\//.test(path)
