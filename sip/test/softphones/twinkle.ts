import { setTimeout as pause } from 'node:timers/promises'
import { nextPort } from '../harness.ts'
import { openConsole, type Softphone, type SoftphoneOptions } from './console.ts'

/** Twinkle seeds its random numbers with the second of its start. Two that start in one second would use the same Call-IDs. */
let usedSecond = 0
const currentSecond = () => Math.floor(Date.now() / 1_000)

/** Twinkle from the Debian package `twinkle-console`. It supports neither TLS nor SDES. */
export async function startTwinkle(options: SoftphoneOptions): Promise<Softphone> {
  const { account, transport, host, port } = options
  while (currentSecond() <= usedSecond) await pause(20)
  const phone = await openConsole(
    'twinkle-console',
    { debianPackage: 'twinkle-console', args: () => ['phone.cfg'], logFile: '.twinkle/twinkle.log' },
    () => ({
      '.twinkle/phone.cfg': `user_name=${account.user}
user_domain=${host}:${port}
auth_name=${account.user}
auth_pass=${account.password}
register_at_startup=yes
registration_time=600
codecs=g711a,g711u
sip_transport=${transport}
`,
      '.twinkle/twinkle.sys': `sip_port=${nextPort()}
rtp_port=${nextPort()}
dev_ringtone=alsa:default
dev_speaker=alsa:default
dev_mic=alsa:default
play_ringtone=no
play_ringback=no
log_show_sip=yes
`,
    }),
  )
  await phone.says(/registration succeeded/)
  usedSecond = currentSecond()
  return {
    ...phone,
    async call(number) {
      phone.type(`call ${number}\n`)
      await phone.says(/far end answered call/)
    },
    rings: () => phone.says(/incoming call/i),
    async answer() {
      phone.type('answer\n')
      await phone.says(/call established/)
    },
    stopsRinging: () => phone.says(/cancelled|far end cancelled/i),
    press: (keys) => phone.type(`dtmf ${keys}\n`),
    async hold() {
      phone.type('hold\n')
      await phone.says(/re-INVITE successful/)
    },
    async resume() {
      phone.type('retrieve\n')
      // Twinkle drops DTMF until its media has restarted.
      await phone.says(/re-INVITE successful[\s\S]*supports DTMF/)
    },
    async hangUp() {
      phone.type('bye\n')
      await phone.says(/call ended/)
    },
  }
}
