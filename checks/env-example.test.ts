import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig, settingNames } from '@trunkline/server/app/config'
import { describe, expect, it } from 'vitest'
import { filesOf, isTest, root } from './source-files.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const example = read('.env.example')

const assignments = [...example.matchAll(/^(#?)([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
  ([, mark, name = '', value = '']) => ({
    isRequired: mark === '',
    name,
    value: value.replace(/^'|'$/g, ''),
  }),
)
const names = assignments.map(({ name }) => name)

/** The launcher passes these to its own child processes; operators do not set them. */
const INTERNAL = /^(SIP_CONTROL_PORT|SANDBOX_(?!TRAFFIC$).*)$/

const launcherNames = filesOf('launcher/*.ts')
  .filter((path) => !isTest(path))
  .flatMap((path) => read(path).match(/\b(?:SIP|TRUNKLINE|SANDBOX|NODE)_[A-Z_]+\b/g) ?? [])
  .filter((name) => !INTERNAL.test(name))

describe('.env.example', () => {
  it('lists every setting of the server and the launcher once, and nothing else', () => {
    expect(names.toSorted()).toEqual([...new Set([...settingNames, ...launcherNames])].toSorted())
  })

  it('leaves exactly the settings uncommented that production requires', () => {
    const required = assignments.filter(({ isRequired }) => isRequired)
    expect(() =>
      loadConfig(Object.fromEntries(required.map(({ name, value }) => [name, value]))),
    ).not.toThrow()
    for (const { name } of required.filter(({ name }) => name !== 'NODE_ENV')) {
      const others = required.filter((one) => one.name !== name)
      expect(() => loadConfig(Object.fromEntries(others.map(({ name, value }) => [name, value])))).toThrow(
        `${name} is missing`,
      )
    }
  })

  it('gives every setting a valid value', () => {
    expect(() =>
      loadConfig(Object.fromEntries(assignments.map(({ name, value }) => [name, value]))),
    ).not.toThrow()
  })

  it('lists the same settings as docs/configuration.md', () => {
    const documented = [...read('docs/configuration.md').matchAll(/^\| ((?:`[A-Z0-9_]+`(?:, )?)+) \|/gm)]
    const documentedNames = documented.flatMap(([, cell = '']) => cell.match(/[A-Z][A-Z0-9_]+/g) ?? [])
    expect(documentedNames.toSorted()).toEqual(names.toSorted())
  })

  it('names no port that compose.yaml uses for something else', () => {
    const compose = read('compose.yaml')
    const isSet = (name: string) => new RegExp(`^ +${name}:`, 'm').test(compose)
    // Other hosts have ports of their own.
    const portsIn = (text: string): string[] =>
      text.match(/(?<=^|"|127\.0\.0\.1:|localhost:)\d{4,5}\b/gm) ?? []
    const used = portsIn(compose)
    expect(used).toEqual(expect.arrayContaining(['5432', '7001', '7002', '7003']))
    const clashes = assignments.filter(
      ({ name, value }) => !isSet(name) && portsIn(value).some((port) => used.includes(port)),
    )
    expect(clashes.map(({ name }) => name)).toEqual([])
  })
})
