import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withBatchScheduling } from '../launcher/switch.ts'
import { answersOptions } from '../launcher/switch-probe.ts'
import { defaultWorkers } from '../launcher/switch-settings.ts'

/** Baseline: a Kamailio that only relays. */
export type BareKind = 'relay' | 'dialogs' | 'registrar' | 'location'

/**
 * Debian's Kamailio uses the memory manager `qm`, which has debug checks and is slow. Ours uses `fm`, larger receive buffers, one worker
 * per core and batch scheduling. A plain relay spends two thirds of its time in `qm`, so both variants are measured.
 */
export type Memory = 'qm' | 'fm'

export type Bare = { close(): Promise<void> }

const modules: Record<BareKind, string[]> = {
  relay: [],
  dialogs: ['dialog'],
  registrar: ['usrloc', 'registrar', 'auth'],
  location: ['usrloc', 'registrar'],
}

/** A minimal configuration: relays calls to one carrier or to registered phones, or accepts registrations with one password. */
const configuration = (
  kind: BareKind,
  port: number,
  carrierPort: number,
  account: Account,
  memory: Memory,
) => `#!KAMAILIO
children=${memory === 'fm' ? defaultWorkers() : 4}
${memory === 'fm' ? 'maxbuffer=4194304' : ''}
disable_tcp=yes
log_stderror=yes
debug=0
listen=udp:127.0.0.1:${port}
${['tm', 'sl', 'rr', 'pv', 'textops', 'siputils', 'maxfwd', ...modules[kind]].map((name) => `loadmodule "${name}.so"`).join('\n')}
${kind === 'dialogs' ? 'modparam("dialog", "db_mode", 0)' : ''}
request_route {
	if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
${
  kind === 'registrar'
    ? `	if (!pv_www_authenticate("trunkline", "${account.password}", "0")) { www_challenge("trunkline", "0"); exit; }
	save("location");
	exit;`
    : `	if (has_totag()) {
		if (loose_route()) { t_relay(); exit; }
		if (is_method("ACK")) { if (t_check_trans()) { t_relay(); } exit; }
		sl_send_reply("404", "Not here");
		exit;
	}
${kind === 'location' ? '	if (is_method("REGISTER")) { save("location"); exit; }' : ''}
	t_check_trans();
	record_route();
${kind === 'dialogs' ? '	dlg_manage();' : ''}
${kind === 'location' ? '	if (!lookup("location")) { sl_send_reply("404", "Not here"); exit; }' : `	$du = "sip:127.0.0.1:${carrierPort}";`}
	t_relay();`
}
}
`

type Account = { user: string; password: string }

export async function startBare(
  kind: BareKind,
  port: number,
  carrierPort: number,
  account: Account,
  memory: Memory = 'fm',
): Promise<Bare> {
  const folder = await mkdtemp(join(tmpdir(), 'bare-'))
  const file = join(folder, 'kamailio.cfg')
  await writeFile(file, configuration(kind, port, carrierPort, account, memory))
  const args = [
    ...['-DD', '-E', '-f', file, '-Y', folder, '-w', folder],
    ...['-m', '256', '-M', '16', '-x', memory, '-X', memory],
  ]
  const [first, rest] = memory === 'fm' ? withBatchScheduling('kamailio', args) : ['kamailio', args]
  const child = spawn(first, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.on('data', (bytes) => {
    words = `${words}${bytes}`.slice(-2_000)
  })
  for (const deadline = Date.now() + 15_000; !(await answersOptions('127.0.0.1', port)); await pause(50))
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`the bare relay did not start: ${words}`)
  return {
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
