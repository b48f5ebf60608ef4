import { readFileSync } from 'node:fs'
import { endpoints } from '@trunkline/contract'
import type { Endpoint } from '@trunkline/contract/endpoint'
import { expect, it } from 'vitest'

const MB = 1_000_000
const largest = Math.max(...Object.values<Endpoint>(endpoints).map(({ maxBodyBytes = 0 }) => maxBodyBytes))

it.each([
  ['ops/nginx.conf', /client_max_body_size (\d+)m;/],
  ['ops/Caddyfile', /max_size (\d+)MB/],
])('%s lets the largest request through', (file, limit) => {
  expect(Number(limit.exec(readFileSync(file, 'utf8'))?.[1]) * MB).toBeGreaterThanOrEqual(largest)
})
