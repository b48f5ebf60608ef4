import { openConsole, type Softphone, type SoftphoneOptions, speechOf } from './console.ts'

/** linphonec from the Debian package `linphone-cli`. */
export async function startLinphone(options: SoftphoneOptions): Promise<Softphone> {
  const { account, transport, requiresSrtp, host, port } = options
  const phone = await openConsole(
    'linphonec',
    { debianPackage: 'linphone-cli', args: (home) => ['-c', `${home}/linphonerc`, '-S'] },
    (home) => ({
      'speech.wav': speechOf(options),
      // linphonec registers only if it can open its database.
      '.local/share/linphone/.keep': '',
      linphonerc: `[sip]
sip_port=-1
sip_tcp_port=-1
sip_tls_port=-1
verify_server_certs=0
verify_server_cn=0
media_encryption=${requiresSrtp ? 'srtp' : 'none'}
media_encryption_mandatory=${requiresSrtp ? 1 : 0}
default_proxy=0
[sound]
hold_music=${home}/speech.wav
[auth_info_0]
username=${account.user}
passwd=${account.password}
realm=trunkline
[proxy_0]
reg_proxy=<sip:${host}:${port};transport=${transport}>
reg_identity=sip:${account.user}@${host}:${port}
reg_expires=600
reg_sendregister=1
`,
    }),
  )
  phone.type('soundcard use files\n')
  await phone.says(/Using wav files/)
  return {
    ...phone,
    async call(number) {
      phone.type(`call sip:${number}@${host}:${port};transport=${transport}\n`)
      await phone.says(/Media streams established/)
    },
    rings: () => phone.says(/Receiving new incoming call|is contacting you/),
    async answer() {
      phone.type('answer\n')
      await phone.says(/Media streams established/)
    },
    stopsRinging: () => phone.says(/ended|released/),
    press: (keys) => phone.type(`${keys}\n`),
    async hold() {
      phone.type('pause\n')
      await phone.says(/is now paused/)
    },
    async resume() {
      phone.type('resume\n')
      await phone.says(/Media streams established/)
    },
    async hangUp() {
      phone.type('terminate\n')
      await phone.says(/ended/)
    },
  }
}
