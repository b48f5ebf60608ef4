import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cyclesIn, fileGraph, groupGraph } from './import-graph.ts'
import { filesOf, isTest, root, sources } from './source-files.ts'
import { customerTables, storeFunctions } from './store-functions.ts'

/** The rules of docs/architecture.md, "Who may import whom", and the habits that are easy to forget. */

const files = sources()
const product = files.filter(({ path }) => !isTest(path))
const WORKSPACES = [
  'domain',
  'contract',
  'media',
  'server',
  'web',
  'sandbox',
  'launcher',
  'e2e',
  'bench',
  'checks',
]
const workspaceOf = (path: string) => WORKSPACES.find((name) => path === name || path.startsWith(`${name}/`))

/** Areas of the server, the lowest first: an area imports only from itself and from those before it. */
const AREAS = ['identity', 'money', 'catalogue', 'calls', 'desk']
const areaOf = (path: string) => /^server\/src\/features\/(\w+)\/[\w-]+\//.exec(path)?.[1]
const graph = fileGraph(product)

/** Places that break a rule, as readable lines; a rule holds when there are none. */
const faults = (among: typeof files, isFault: (file: (typeof files)[number]) => string[]) =>
  among.flatMap((file) => isFault(file).map((fault) => `${file.path}: ${fault}`))

describe('imports', () => {
  const allowed: Record<string, string[]> = {
    domain: ['domain'],
    contract: ['contract', 'domain'],
    media: ['media'],
    server: ['server', 'media', 'contract', 'domain'],
    web: ['web', 'contract', 'domain'],
    sandbox: ['sandbox', 'contract'],
    launcher: ['launcher', 'server', 'media', 'sandbox', 'contract', 'domain'],
  }
  it.each(Object.entries(allowed))('%s imports only from %j', (workspace, may) => {
    const mine = product.filter(({ path }) => workspaceOf(path) === workspace)
    expect(mine.length).toBeGreaterThan(0)
    expect(
      faults(mine, ({ imports }) =>
        imports.filter((to) => workspaceOf(to) !== undefined && !may.includes(workspaceOf(to) ?? '')),
      ),
    ).toEqual([])
  })

  it('the domain depends on nothing but libphonenumber-js', () => {
    const mine = product.filter(({ path }) => workspaceOf(path) === 'domain')
    expect(
      faults(mine, ({ imports }) => imports.filter((to) => !/^(domain|libphonenumber-js)(\/|$)/.test(to))),
    ).toEqual([])
  })

  it('the server imports in the order main -> app -> features -> platform; adapters import only the platform', () => {
    const layers: Record<string, string[]> = {
      platform: ['platform'],
      adapters: ['adapters', 'platform'],
      features: ['features', 'platform'],
      app: ['app', 'features', 'adapters', 'platform'],
      main: ['main', 'app', 'features', 'platform'],
    }
    const layerOf = (path: string) => /^server\/src\/(\w+)\//.exec(path)?.[1]
    const mine = product.filter(({ path }) => layerOf(path) !== undefined)
    expect(
      faults(mine, ({ path, imports }) =>
        imports.filter((to) => {
          const layer = layerOf(to)
          return layer !== undefined && !layers[layerOf(path) ?? '']?.includes(layer)
        }),
      ),
    ).toEqual([])
  })

  it('areas of the server import each other in one order', () => {
    const imports = new Set<string>()
    for (const [from, targets] of graph)
      for (const to of targets) {
        const [area, target] = [areaOf(from), areaOf(to)]
        if (area !== undefined && target !== undefined && AREAS.indexOf(target) > AREAS.indexOf(area))
          imports.add(`${from} imports ${to}`)
      }
    expect([...imports]).toEqual([])
  })

  it('every feature is in an area', () => {
    const features = product.filter(({ path }) => path.startsWith('server/src/features/'))
    expect(
      faults(features, ({ path }) => (AREAS.includes(areaOf(path) ?? '') ? [] : ['is in no area'])),
    ).toEqual([])
  })

  it('files do not import each other in circles', () => {
    expect(cyclesIn(graph)).toEqual([])
  })

  it('features of the server do not import each other in circles', () => {
    const featureOf = (path: string) => /^server\/src\/features\/(\w+\/[\w-]+)\//.exec(path)?.[1]
    const features = groupGraph(graph, featureOf)
    expect(features.size).toBeGreaterThan(40)
    expect(cyclesIn(features)).toEqual([])
  })

  it('a feature imports in the order endpoints -> service -> store', () => {
    const features = product.filter(({ path }) => path.startsWith('server/src/features/'))
    const isEndpoints = (path: string) => /\/(\w+-)?endpoints\.ts$/.test(path)
    const isStore = (path: string) => /store\.ts$/.test(path)
    expect(
      faults(features, ({ path, imports }) =>
        imports.filter(
          (to) =>
            isEndpoints(to) ||
            (isStore(path) && /\/service\.ts$/.test(to)) ||
            (isEndpoints(path) && isStore(to)),
        ),
      ),
    ).toEqual([])
  })

  it('only the app layer imports the HTTP server', () => {
    const others = product.filter(({ path }) => /^server\/src\/(?!app\/)/.test(path))
    expect(faults(others, ({ imports }) => imports.filter((to) => /^@?fastify/.test(to)))).toEqual([])
  })

  it('customer and operator screens share only common code; only the router imports both', () => {
    const elsewhere: Record<string, RegExp> = {
      public: /^web\/src\/(admin|portal)\//,
      portal: /^web\/src\/(admin|public)\//,
      admin: /^web\/src\/(portal|public)\//,
      common: /^web\/src\/(admin|portal|public)\//,
      app: /^web\/src\/(admin|portal|public)\//,
    }
    const screens = product.filter(
      ({ path }) => /^web\/src\/\w+\//.test(path) && path !== 'web/src/app/router.tsx',
    )
    expect(
      faults(screens, ({ path, imports }) =>
        imports.filter((to) => elsewhere[path.split('/')[2] ?? '']?.test(to)),
      ),
    ).toEqual([])
  })

  it('ui imports nothing of the product', () => {
    const ui = product.filter(({ path }) => path.startsWith('web/src/ui/'))
    expect(
      faults(ui, ({ imports }) =>
        imports.filter((to) => /^(contract|domain)(\/|$)|^web\/src\/(?!ui\/)/.test(to)),
      ),
    ).toEqual([])
  })
})

describe('conventions', () => {
  const server = product.filter(({ path }) => path.startsWith('server/src/'))
  const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([match]) => match)

  it('only one file reads the environment', () => {
    const others = server.filter(({ path }) => path !== 'server/src/main/process.ts')
    expect(faults(others, ({ text }) => found(text, /process\.env/g))).toEqual([])
  })

  it('only one file creates database clients, so that all of them follow the primary', () => {
    // The embedded server connects to itself.
    const allowed = /^server\/src\/platform\/(primary|embedded-postgres)\.ts$/
    const mine = product.filter(({ path }) => /^(server\/src|launcher)\//.test(path) && !allowed.test(path))
    expect(faults(mine, ({ text }) => text.match(/new pg\.Client\(/g) ?? [])).toEqual([])
  })

  it('features get time and randomness from the platform', () => {
    const features = server.filter(({ path }) => path.startsWith('server/src/features/'))
    const ownTime =
      /new Date\(\)|Date\.now\(|Math\.random\(|'node:crypto'|\bnow\(\)(?!\s*:)(?<!clock\.now\(\))/g
    expect(faults(features, ({ text }) => found(text, ownTime))).toEqual([])
  })

  it('only stores contain SQL', () => {
    const others = server.filter(
      ({ path }) => /^server\/src\/(features|app)\//.test(path) && !/store\.ts$/.test(path),
    )
    const builders = /\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql[`<]/
    const verbs =
      /select\s|insert into\s|update \w+\s+set\s|delete from\s|with \w+ as\s|copy [\w(]|(?:lock|alter|drop|truncate|create) table\s/
    const sql = new RegExp(`${builders.source}|['"\`]\\s*(?:/\\*[^*]*\\*/\\s*)?(?:${verbs.source})`, 'g')
    expect(faults(others, ({ text }) => found(text, sql))).toEqual([])
  })

  describe('the scope of store functions', () => {
    const functions = storeFunctions(server.filter(({ path }) => path.startsWith('server/src/features/')))
    const lines = (found: typeof functions, fault: string) =>
      found.map(({ path, name }) => `${path}: ${name} ${fault}`)
    const takesOwner = ({ parameters }: (typeof functions)[number]) => /\b\w+: Owner\b/.test(parameters)

    it('a function that takes an owner filters by it', () => {
      const usesOwner = ({ parameters, body }: (typeof functions)[number]) => {
        const name = /\b(\w+): Owner\b/.exec(parameters)?.[1] ?? ''
        return new RegExp(`\\b${name}\\b`).test(body)
      }
      expect(functions.filter(takesOwner).length).toBeGreaterThan(60)
      const stores = server.filter(({ path }) => /\/features\/.*store\.ts$/.test(path))
      expect(faults(stores, ({ text }) => found(text, /\b_\w+: Owner\b/g))).toEqual([])
      expect(
        lines(
          functions.filter((one) => takesOwner(one) && !usesOwner(one)),
          'ignores its owner',
        ),
      ).toEqual([])
    })

    /** A trunk with the number of its calls, and settings with the name of the administrator who changed them last. */
    const OF_NO_USER = new Set(['findTrunk', 'lockTrunk', 'readAlertSettings', 'lockAlertSettings'])

    it('a function on rows of users takes an owner, a user or the scope of all users', () => {
      const tables = customerTables()
      const names = new RegExp(
        `\\b(?:selectFrom|updateTable|deleteFrom|\\w*Join)\\('(?:${tables.join('|')})\\b|` +
          `\\b(?:updateVersioned|count\\w*Locked)\\(\\w+, '(?:${tables.join('|')})\\b|` +
          `\\b(?:from|join|update|using) (?:public\\.)?(?:${tables.join('|')})\\b`,
      )
      const onUsers = functions.filter(
        ({ parameters, statements }) => /^\s*\w+: Database\b/.test(parameters) && names.test(statements),
      )
      const isScoped = ({ name, parameters, input }: (typeof functions)[number]) =>
        /: Owner\b|: AllUsers\b/.test(parameters) ||
        /\b(userId|user_id)\b/.test(input) ||
        OF_NO_USER.has(name)
      expect(onUsers.length).toBeGreaterThan(100)
      expect(
        lines(
          onUsers.filter((one) => !isScoped(one)),
          'has no scope',
        ),
      ).toEqual([])
    })
  })

  it('a file has at most 400 lines', () => {
    const lines = ({ text }: { text: string }) => text.split('\n').length
    expect(faults(files, (file) => (lines(file) > 400 ? [`${lines(file)} lines`] : []))).toEqual([])
  })

  it('objects list their properties plainly, without `...{ a, b }`', () => {
    const others = files.filter(({ path }) => path !== 'checks/house-rules.test.ts')
    expect(faults(others, ({ text }) => found(text, /(?<!\{)\.\.\.\{ .*/g))).toEqual([])
  })

  it('only one folder of the web app formats dates, numbers and amounts', () => {
    const others = product.filter(
      ({ path }) => path.startsWith('web/src/') && !path.startsWith('web/src/common/format/'),
    )
    const own =
      /\.toLocale(?:Date|Time)?String\(|\.toFixed\(|Intl\.(?:Number|DateTime|RelativeTime|Duration)Format\b/g
    expect(faults(others, ({ text }) => found(text, own))).toEqual([])
  })

  it('server tests are named topic.test.ts or topic.security.test.ts', () => {
    const tests = filesOf('server').filter((path) => /\.test\.ts$/.test(path))
    expect(tests.filter((path) => !/\/[\w-]+(\.security)?\.test\.ts$/.test(path))).toEqual([])
  })

  it('no test is skipped', () => {
    const skipped = /\b(it|test|describe)\.(skip|only|todo|fixme)\b/g
    expect(
      faults(
        files.filter(({ path }) => isTest(path)),
        ({ text }) => found(text, skipped),
      ),
    ).toEqual([])
  })
})

describe('foreign origins', () => {
  it('no screen contains a foreign origin', () => {
    const web = filesOf('web/index.html', 'web/src', 'web/public').filter((path) => !isTest(path))
    const foreign = web.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/https?:\/\/[^\s'"`)]+/g)]
        .map(([address]) => address)
        .filter((address) => !/^http:\/\/(www\.w3\.org|localhost)/.test(address))
        .map((address) => `${path}: ${address}`),
    )
    expect(foreign).toEqual([])
  })

  it('the lock file names no registry and contains the native packages of both architectures', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const packages: Record<string, { resolved?: string; optionalDependencies?: Record<string, string> }> =
      lock.packages
    expect(Object.values(packages).filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([])
    const natives = Object.values(packages)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => /linux-(arm64|x64)(-gnu)?$/.test(name))
    expect(natives.length).toBeGreaterThan(8)
    expect(natives.filter((name) => !packages[`node_modules/${name}`])).toEqual([])
  })
})
