import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadConfig, settingNames } from './config.ts'

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db.example/trunkline',
  PUBLIC_URL: 'https://portal.example/',
  SUPPORT_EMAIL: 'help@portal.example',
  SUPPORT_PHONE: '1-800-555-0100',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'no-reply@portal.example',
  OXAPAY_BASE_URL: 'https://api.oxapay.example/',
  OXAPAY_MERCHANT_KEY: 'a-merchant-key',
}

describe('settings', () => {
  it('of the demo profile require only a database', () => {
    const config = loadConfig({ DATABASE_URL: 'postgres://localhost/x', PORT: '4100' })
    expect(config).toMatchObject({ profile: 'demo', publicUrl: 'http://localhost:4100', host: 'localhost' })
  })

  it('of production report all missing variables at once', () => {
    const complaint = () => loadConfig({ NODE_ENV: 'production', SMTP_URL: 'carrier-pigeon', PORT: 'x' })
    for (const name of ['DATABASE_URL', 'PUBLIC_URL', 'SUPPORT_EMAIL', 'SUPPORT_PHONE', 'MAIL_FROM'])
      expect(complaint).toThrow(`${name} is missing`)
    expect(complaint).toThrow('SMTP_URL must be an address starting with smtp:// or smtps://')
    expect(complaint).toThrow('PORT must be a number')
  })

  it('of production are complete with the documented variables', () => {
    expect(loadConfig(production)).toMatchObject({
      profile: 'production',
      publicUrl: 'https://portal.example',
    })
    for (const name of Object.keys(production).filter((name) => name !== 'NODE_ENV'))
      expect(() => loadConfig({ ...production, [name]: '' })).toThrow(`${name} is missing`)
  })

  it('of caller IDs allow any number in the demo, and only approved ones in production', () => {
    expect(loadConfig({ DATABASE_URL: 'postgres://localhost/x' }).callerIds).toBe('any')
    expect(loadConfig(production).callerIds).toBe('approved')
    expect(loadConfig({ ...production, CALLER_IDS: 'any' }).callerIds).toBe('any')
    expect(() => loadConfig({ ...production, CALLER_IDS: 'all' })).toThrow(
      'CALLER_IDS must be any or approved',
    )
  })

  it('of payments disable test mode in production', () => {
    expect(loadConfig(production).oxapay).toEqual({
      baseUrl: 'https://api.oxapay.example',
      merchantKey: 'a-merchant-key',
      isUpgradeTrial: false,
      timeoutMs: 10_000,
    })
  })

  it('of sounds default to the data folder and want the object store complete', () => {
    const key = Buffer.alloc(32, 7)
    expect(loadConfig(production).sounds).toMatchObject({ folder: null, keys: [], keyFile: null, s3: null })
    expect(loadConfig({ ...production, TRUNKLINE_DATA: '/data' }).sounds).toMatchObject({
      folder: '/data/sounds',
      keyFile: '/data/sound.key',
    })
    for (const form of ['hex', 'base64', 'base64url'] as const)
      expect(
        loadConfig({ ...production, SOUND_FOLDER: '/sounds', SOUND_KEY: key.toString(form) }).sounds,
      ).toMatchObject({ folder: '/sounds', keys: [key] })
    const refused = (more: Record<string, string>) => () => loadConfig({ ...production, ...more })
    expect(refused({ SOUND_KEY: 'short' })).toThrow('SOUND_KEY must be 32 bytes')
    expect(refused({ SOUND_FOLDER: '/sounds' })).toThrow('SOUND_KEY is missing')
    expect(refused({ SOUND_S3_URL: 'https://s3.example/bucket' })).toThrow('need each other')
  })

  it('accept trusted proxies but not all addresses', () => {
    const trusted = (TRUST_PROXY: string) => loadConfig({ ...production, TRUST_PROXY }).trustProxy
    expect(trusted('')).toBe(false)
    expect(trusted('no')).toBe(false)
    expect(trusted('loopback')).toEqual(['loopback'])
    expect(trusted('10.0.0.0/24, 192.0.2.7,fd00::/8')).toEqual(['10.0.0.0/24', '192.0.2.7', 'fd00::/8'])
    for (const value of [
      'yes',
      'true',
      '1',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/33',
      'proxy.example',
      'no,loopback',
    ])
      expect(() => trusted(value)).toThrow(
        'TRUST_PROXY must name the proxies whose X-Forwarded-For is believed',
      )
  })

  it.each([
    ['postgres://u:p@one.example:5432,two.example:x/portal', 'must be an address such as postgres://'],
    ['postgres://one.example:5432,/portal', 'must be an address such as postgres://'],
    ['postgres://one.example,two.example/portal?target_session_attrs=any', 'has target_session_attrs=any'],
    ['mysql://db.example/portal', 'must be an address such as postgres://'],
    ['db.example', 'must be an address such as postgres://'],
  ])('refuse the database URL %s', (DATABASE_URL, words) => {
    expect(() => loadConfig({ ...production, DATABASE_URL })).toThrow(`DATABASE_URL ${words}`)
  })

  it.each([
    'postgres://u:p@one.example:5432,two.example:5432/portal',
    'postgresql://one.example,two.example/portal?target_session_attrs=read-write',
    'postgresql://one.example,two.example/portal?sslmode=require&target_session_attrs=primary',
  ])('accept several hosts for the database, but not for its replica: %s', (url) => {
    expect(loadConfig({ ...production, DATABASE_URL: url }).databaseUrl).toBe(url)
    expect(() => loadConfig({ ...production, DATABASE_REPLICA_URL: url })).toThrow(
      'DATABASE_REPLICA_URL names several hosts, and Trunkline reads reports from one',
    )
  })

  it('are all documented', () => {
    const text = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
    for (const name of settingNames) expect(text).toContain(`\`${name}\``)
  })
})
