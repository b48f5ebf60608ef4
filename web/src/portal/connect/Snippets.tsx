import type { SipConnection } from '@trunkline/contract/sip-credentials'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { CopyFacts } from './CopyFacts.tsx'
import { PASSWORD_BLANK, type Snippet, snippetsFor } from './snippets.ts'

/** Shown until the provider sets the server address. */
const SERVER_BLANK = 'SERVER-ADDRESS'

export function Snippets({ sip, password }: { sip: SipConnection; password: string | null }) {
  const snippets = snippetsFor({
    username: sip.username,
    realm: sip.realm,
    server: sip.server ?? SERVER_BLANK,
    port: sip.port,
    tlsPort: sip.tls_port,
    password,
  })
  return (
    <Tabs defaultValue="Asterisk">
      <TabList aria-label="Systems">
        {snippets.map(({ name }) => (
          <Tab key={name} value={name}>
            {name}
          </Tab>
        ))}
      </TabList>
      {snippets.map((snippet) => (
        <TabPanel key={snippet.name} value={snippet.name} className="pt-3.5">
          <p className="mb-2.5 text-muted text-sm">{snippet.where}</p>
          <Body snippet={snippet} />
          {password === null && (
            <p className="mt-2.5 text-muted text-sm">
              Replace <span className="font-mono">{PASSWORD_BLANK}</span> with your SIP password.
            </p>
          )}
        </TabPanel>
      ))}
    </Tabs>
  )
}

function Body({ snippet }: { snippet: Snippet }) {
  if ('text' in snippet)
    return (
      <div className="relative">
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
          tabIndex={0}
          className="max-h-72 overflow-auto rounded-md border bg-sunken p-3.5 font-mono text-sm"
        >
          {snippet.text}
        </pre>
        <div className="absolute top-2 right-2">
          <CopyButton text={snippet.text} what={`the ${snippet.name} configuration`} />
        </div>
      </div>
    )
  return <CopyFacts facts={snippet.fields} className="bg-sunken" />
}
