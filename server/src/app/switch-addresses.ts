import { system } from '@trunkline/domain/access'
import type { HostAddresses } from '../adapters/host-addresses.ts'
import { findSwitchHosts } from '../features/calls/callcontrol/switches-store.ts'
import { type Clock, DAY, earlier } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'

const scope = system('addresses of switches')

/**
 * Addresses that may send calls to media processes: this machine, the configured hosts, and the addresses that switches report. A switch
 * behind a tunnel has a configured host on the loopback address only.
 */
export async function findSwitchAddresses(
  { db, clock, hosts }: { db: Database; clock: Clock; hosts: HostAddresses },
  configured: readonly string[],
): Promise<Set<string>> {
  // The address of a switch that was removed may belong to somebody else later.
  const reported = await findSwitchHosts(db, scope, earlier(clock.now(), DAY))
  return hosts.resolve([...configured, ...reported])
}
