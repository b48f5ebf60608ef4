import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesOf, isTest, root } from './source-files.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

describe('systemd units', () => {
  // `networkInterfaces()` of Node reads the addresses of this machine from a netlink socket.
  it.each(filesOf('ops/systemd/*.service'))('%s may read the addresses of this machine', (unit) => {
    expect(/^RestrictAddressFamilies=(.*)$/m.exec(read(unit))?.[1]?.split(' ')).toContain('AF_NETLINK')
  })
})

describe('ops/patroni', () => {
  it('lists the addresses of node.env to listen on in the format of Patroni: one port, after the last address', () => {
    const listens = [...read('ops/patroni/node.env').matchAll(/^PATRONI_\w+_LISTEN=(.*)$/gm)]
    expect(listens).toHaveLength(2)
    for (const [, value] of listens) expect(value).toMatch(/^[\d.]+(,[\d.]+)*:\d+$/)
  })

  it('lets patronictl and etcdctl find etcd without options', () => {
    const cluster = /^ETCD_INITIAL_CLUSTER=(.*)$/m.exec(read('ops/patroni/etcd.env'))?.[1] ?? ''
    const hosts = cluster.split(',').map((member) => new URL(member.split('=')[1] ?? '').hostname)
    expect(hosts).toHaveLength(3)
    const clients = hosts.map((host) => `${host}:2379`)
    expect(read('ops/patroni/config.yml')).toContain(`etcd3:\n  hosts: [${clients.join(', ')}]\n`)
    expect(read('ops/patroni/etcd.env')).toMatch(/^ETCD_LISTEN_CLIENT_URLS=.*,http:\/\/127\.0\.0\.1:2379$/m)
  })
})

describe('metrics', () => {
  const parts = {
    'call control': 'trunkline_control_trusted',
    worker: 'trunkline_jobs_waiting',
    media: 'trunkline_media_calls',
  }

  it('are documented', () => {
    const documented = read('docs/operations.md')
    const names = filesOf('server/src/*.ts')
      .filter((path) => !isTest(path))
      .flatMap((path) => [...read(path).matchAll(/'(trunkline_\w+)'/g)].map(([, name = '']) => name))
    expect(names.length).toBeGreaterThan(30)
    expect(names.filter((name) => !new RegExp(`\`${name}[\`{]`).test(documented))).toEqual([])
  })

  it.each(Object.entries(parts))('raise an alert if no %s is running', (_part, metric) => {
    expect(read('ops/prometheus/trunkline.rules.yml')).toContain(`expr: absent(${metric})`)
  })
})
