import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root, type SourceFile } from './source-files.ts'

/** Exported functions of the stores, with the statements they run; read from the text as Biome formats it. */

type Declaration = { name: string; isExported: boolean; text: string }
type StoreFunction = {
  path: string
  name: string
  parameters: string
  /** The parameters and the types they name. */
  input: string
  body: string
  /** The function and the declarations it uses. */
  statements: string
}

const DECLARATION = /^(?:export )?(?:async )?(?:function|const|type) (\w+)/

function declarationsOf(text: string): Declaration[] {
  return text
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .split(/^(?=(?:export )?(?:async )?(?:function|const|type) )/m)
    .flatMap((part) => {
      const name = DECLARATION.exec(part)?.[1]
      return name === undefined ? [] : [{ name, isExported: part.startsWith('export '), text: part }]
    })
}

/** From the parenthesis at `start` to the one that closes it. */
function parenthesized(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(start + 1, at)
  }
  return text.slice(start + 1)
}

const isFunction = (text: string) =>
  /^(?:export )?(?:(?:async )?function \w+|const \w+ = (?:async )?)(?:<[^(]*>)?\(/.test(text)

export function storeFunctions(files: readonly SourceFile[]): StoreFunction[] {
  const declared = new Map(files.map(({ path, text }) => [path, declarationsOf(text)]))

  /** The declaration itself and all that it uses of this file and of the files beside it. */
  function withUsed(path: string, name: string, seen: Set<string>): string {
    const key = `${path} ${name}`
    const found = declared.get(path)?.find((one) => one.name === name)
    if (!found || seen.has(key)) return ''
    seen.add(key)
    const used = [...new Set(found.text.match(/\b[A-Za-z]\w*\b/g) ?? [])]
    const imported = importsOf(files.find((file) => file.path === path)?.text ?? '', path)
    return [found.text, ...used.map((word) => withUsed(imported.get(word) ?? path, word, seen))].join('\n')
  }

  return files
    .filter(({ path }) => /store\.ts$/.test(path))
    .flatMap(({ path }) =>
      (declared.get(path) ?? [])
        .filter(({ isExported, text }) => isExported && isFunction(text))
        .map(({ name, text }) => {
          const parameters = parenthesized(text, text.indexOf('('))
          const body = text.slice(text.indexOf('(') + parameters.length + 1)
          const types = (parameters.match(/\b[A-Z]\w*\b/g) ?? []).map((type) =>
            withUsed(path, type, new Set()),
          )
          return {
            path,
            name,
            parameters,
            input: [parameters, ...types].join('\n'),
            body,
            statements: withUsed(path, name, new Set()),
          }
        }),
    )
}

/** Which file a name comes from, for files of the same feature. */
function importsOf(text: string, path: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, names = '', from = ''] of text.matchAll(/import \{([^}]*)\} from '(\.\/[^']+)'/g))
    for (const name of names.split(',')) found.set(name.trim(), normalize(join(dirname(path), from)))
  return found
}

/** Tables whose rows belong to a user: those with a `user_id`, and those that hang on such a row. */
export function customerTables(): string[] {
  const folder = join(root, 'server/src/platform')
  const files = readdirSync(folder).filter((name) => name.endsWith('tables.ts'))
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'))
  const tables = texts.flatMap((text) => [...text.matchAll(/^ {2}(\w+): \{\n([\s\S]*?)^ {2}\}/gm)])
  const owned = tables
    .filter(([, , columns = '']) => /^ {4}user_id:/m.test(columns))
    .map(([, name = '']) => name)
  return [
    ...owned,
    'users',
    'ticket_messages',
    'ticket_notes',
    'invoice_events',
    'payment_reviews',
    'entries',
  ]
}
