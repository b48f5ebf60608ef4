import { describe, expect, test } from 'vitest'
import { type Account, PASSWORD_BLANK, type Snippet, snippetsFor } from './snippets.ts'

const account: Account = {
  username: 'alice',
  realm: 'trunkline',
  server: 'sip.provider.example',
  port: 5060,
  tlsPort: 5061,
  password: null,
}
const fullText = (snippet: Snippet) => ('text' in snippet ? snippet.text : snippet.fields.flat().join('\n'))

test('has one snippet for each kind of system', () => {
  expect(snippetsFor(account).map(({ name }) => name)).toEqual([
    'Asterisk',
    'FreePBX',
    'FreeSWITCH',
    '3CX',
    'Softphone',
  ])
})

describe.each(snippetsFor(account).map((snippet, at) => [snippet.name, at] as const))('%s', (_name, at) => {
  const textFor = (changes: Partial<Account>) =>
    fullText(snippetsFor({ ...account, ...changes })[at] as Snippet)

  test('contains server, port and username', () => {
    for (const fact of ['sip.provider.example', '5060', 'alice']) expect(textFor({})).toContain(fact)
  })

  test('has a placeholder for the password until it is known', () => {
    expect(textFor({})).toContain(PASSWORD_BLANK)
    const filled = textFor({ password: 's3cret' })
    expect(filled).toContain('s3cret')
    expect(filled).not.toContain(PASSWORD_BLANK)
  })
})

test('escapes usernames and IPv6 addresses in SIP URIs', () => {
  const [asterisk] = snippetsFor({ ...account, username: 'al@office', server: '2001:db8::5' })
  const text = fullText(asterisk as Snippet)
  expect(text).toContain('client_uri=sip:al%40office@[2001:db8::5]')
  expect(text).toContain('username=al@office')
})
