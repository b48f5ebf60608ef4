import { Options } from '../ui/Select.tsx'

/** The transports of SIP, for a select. */
export const TransportOptions = () => (
  <Options of={['udp', 'tcp', 'tls'].map((name) => [name, name.toUpperCase()])} />
)
