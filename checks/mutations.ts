import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseSync } from 'vite'
import { filesOf, isTest, root, sources } from './source-files.ts'

/**
 * Mutation testing: changes one operator or constant at a time and runs the tests that import the file. A mutant that no test
 * catches is a survivor. Usage: `node checks/mutations.ts domain --sample 100 --seed 1`. Options:
 *
 * --sample  number of mutants, chosen at random; all of them without it
 * --seed    seed of the random choice, 1 by default
 * --tests   runs only tests below this path, for example the folder of a feature
 * --project project of vitest.config.ts, `unit` by default
 * --timeout seconds per mutant, 120 by default. A mutant that times out counts as caught
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', default: '' },
    project: { type: 'string', default: 'unit' },
    timeout: { type: 'string', default: '120' },
  },
})

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

type Mutant = { path: string; line: number; start: number; end: number; from: string; to: string }
type Node = { type: string; start: number; end: number; [key: string]: unknown }

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
}
const CONSTANTS: Readonly<Record<string, string>> = {
  '0': '1',
  '1': '0',
  '0n': '1n',
  '1n': '0n',
  true: 'false',
  false: 'true',
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Types have no effect at run time, so their literals are skipped. */
function* descendants(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child) && !/^TS(?!AsExpression|NonNull|Satisfies)/.test(child.type))
        yield* descendants(child)
}

function mutantsOf(path: string): Mutant[] {
  const text = readFileSync(join(root, path), 'utf8')
  const found: Mutant[] = []
  const add = (start: number, end: number, to: string) => {
    const line = text.slice(0, start).split('\n').length
    found.push({ path, line, start, end, from: text.slice(start, end), to })
  }
  for (const node of descendants(parseSync(path, text).program as unknown as Node)) {
    const { type, start, end, operator, left, right } = node
    if ((type === 'BinaryExpression' || type === 'LogicalExpression') && isNode(left) && isNode(right)) {
      const at = text.indexOf(String(operator), left.end)
      const isText = operator === '+' && [left, right].some((side) => typeof side.value === 'string')
      for (const other of isText ? [] : (OPERATORS[String(operator)] ?? []))
        add(at, at + String(operator).length, other)
    } else if (type === 'UnaryExpression' && operator === '!') add(start, start + 1, '')
    else if (type === 'UnaryExpression' && operator === '-') add(start, start + 1, '')
    else if (type === 'Literal') {
      const other = CONSTANTS[text.slice(start, end)]
      if (other) add(start, end, other)
    }
  }
  return found
}

/** Mulberry32, so the same seed gives the same sample. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Tests that import a file, directly or through others. Tests in the same folder come first. */
function createTestFinder(): (path: string) => string[] {
  const files = sources()
  const known = new Set(files.map(({ path }) => path))
  const fileOf = (to: string) => [to, `${to}.ts`, `${to}/index.ts`].find((each) => known.has(each))
  const importers = new Map<string, string[]>()
  for (const { path, imports } of files)
    for (const to of imports) {
      const file = fileOf(to)
      if (file) importers.set(file, [...(importers.get(file) ?? []), path])
    }
  return (path) => {
    const reached = new Set([path])
    for (const each of reached) for (const importer of importers.get(each) ?? []) reached.add(importer)
    const tests = [...reached].filter((each) => /\.test\.ts$/.test(each) && each.startsWith(values.tests))
    const isNear = (test: string) => test.startsWith(`${dirname(path)}/`)
    return [...tests.filter(isNear), ...tests.filter((test) => !isNear(test))]
  }
}

function passes(tests: readonly string[], seconds = Number(values.timeout)): Promise<boolean> {
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--passWithNoTests',
    '--bail',
    '1',
    '--project',
    values.project,
  ]
  const child = spawn(process.execPath, [...vitest, '--reporter', 'dot', ...tests], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
  })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), seconds * 1_000)
  return new Promise((resolve) =>
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    }),
  )
}

/** Tests near the file catch most mutants, so the others run only if those pass. */
async function isCaught(tests: readonly string[], folder: string): Promise<boolean> {
  const near = tests.filter((test) => test.startsWith(`${folder}/`))
  const far = tests.filter((test) => !near.includes(test))
  if (near.length > 0 && !(await passes(near))) return true
  return far.length > 0 && !(await passes(far))
}

const paths = filesOf(...positionals).filter((path) => path.endsWith('.ts') && !isTest(path))
if (execFileSync('git', ['status', '--porcelain', '--', ...paths], { cwd: root, encoding: 'utf8' }).trim())
  throw new Error('Commit your changes first: this command rewrites the files while it runs.')

const all = paths.flatMap(mutantsOf)
const random = randomFrom(Number(values.seed))
const order = all.map((mutant) => ({ mutant, at: random() })).sort((one, other) => one.at - other.at)
const chosen = order.slice(0, Number(values.sample ?? all.length)).map(({ mutant }) => mutant)
const testsOf = createTestFinder()
const restore = new Map<string, string>()
const restoreAll = () => {
  for (const [path, text] of restore) writeFileSync(path, text)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    restoreAll()
    process.exit(1)
  })

print(`${chosen.length} of ${all.length} mutants in ${paths.length} files`)
const affected = [...new Set(chosen.flatMap(({ path }) => testsOf(path)))]
if (!(await passes(affected, 3_600)))
  throw new Error('Tests fail or time out without any change. Fix them first.')
let caught = 0
for (const mutant of chosen) {
  const file = join(root, mutant.path)
  const text = readFileSync(file, 'utf8')
  restore.set(file, text)
  try {
    writeFileSync(file, text.slice(0, mutant.start) + mutant.to + text.slice(mutant.end))
    if (await isCaught(testsOf(mutant.path), dirname(mutant.path))) caught++
    else print(`survived  ${mutant.path}:${mutant.line}  ${mutant.from} -> ${mutant.to || '(removed)'}`)
  } finally {
    writeFileSync(file, text)
    restore.delete(file)
  }
}
print(`${caught} of ${chosen.length} caught: ${((100 * caught) / Math.max(1, chosen.length)).toFixed(1)} %`)
