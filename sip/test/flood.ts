import { formatMessage } from '../../sandbox/carriers/sip-message.ts'
import type { Phone } from './phone.ts'

/** Sends requests without waiting for replies. */
export function flood({ line, server, basics }: Phone, from: number, to: number): void {
  for (let sent = from; sent < to; sent++)
    line.send(
      formatMessage({
        method: 'OPTIONS',
        uri: `sip:${server}`,
        headers: [
          ['Via', `SIP/2.0/UDP ${line.host}:${line.port};rport;branch=z9hG4bKflood${sent}`],
          ...basics('flood', `flood-${sent}`),
          ['CSeq', '1 OPTIONS'],
        ],
        body: '',
      }),
    )
}
