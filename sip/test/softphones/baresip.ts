import { openConsole, type Softphone, type SoftphoneOptions, speechOf } from './console.ts'

const MODULES = ['stdio', 'g711', 'aufile', 'sndfile', 'srtp']

/** baresip from the Debian package `baresip-core`. */
export async function startBaresip(
  options: SoftphoneOptions,
): Promise<Softphone & { heard(): Promise<Int16Array> }> {
  const { account, transport, requiresSrtp, host, port } = options
  const phone = await openConsole(
    'baresip',
    { debianPackage: 'baresip-core', args: (home) => ['-f', home] },
    (home) => ({
      'speech.wav': speechOf(options),
      contacts: '',
      accounts: `<sip:${account.user}@${host}:${port};transport=${transport}>;auth_pass="${account.password}";regint=600${
        requiresSrtp ? ';mediaenc=srtp-mand' : ''
      }\n`,
      config: [
        `sip_listen ${host}:0`,
        'sip_verify_server no',
        `audio_source aufile,${home}/speech.wav`,
        `audio_player aufile,${home}/heard.wav`,
        `snd_path ${home}`,
        `audio_alert aufile,${home}/alert.wav`,
        'module_path /usr/lib/baresip/modules',
        ...MODULES.map((name) => `module ${name}.so`),
        'module_tmp account.so',
        'module_app menu.so',
        '',
      ].join('\n'),
    }),
  )
  await phone.says(/registered successfully/)
  return {
    ...phone,
    /** What it heard, 8,000 samples per second. */
    async heard() {
      const wave = await phone.file('-dec.wav')
      const start = wave.indexOf('data') + 8
      return Int16Array.from({ length: (wave.length - start) >> 1 }, (_, at) =>
        wave.readInt16LE(start + at * 2),
      )
    },
    async call(number) {
      phone.type(`/dial ${number}\n`)
      await phone.says(/Call established/)
    },
    rings: () => phone.says(/Incoming call from/i),
    async answer() {
      phone.type('/accept\n')
      await phone.says(/Call established/)
    },
    stopsRinging: () => phone.says(/session closed|Call cancelled|terminate|missed/i),
    press: (keys) => phone.type(keys),
    async hold() {
      phone.type('/hold\n')
      await phone.says(/call: hold/)
    },
    async resume() {
      phone.type('/resume\n')
      await phone.says(/call: resume/)
    },
    async hangUp() {
      phone.type('/hangup\n')
      // Its output after a hangup varies; the tests check the BYE at the carrier.
      await phone.says(/terminate call/)
    },
  }
}
