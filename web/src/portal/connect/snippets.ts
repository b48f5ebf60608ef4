/** `password` is set only right after it was created. */
export type Account = {
  username: string
  realm: string
  server: string
  port: number
  tlsPort: number
  password: string | null
}

/** A configuration file, or the fields of a form. */
export type Snippet = { name: string; where: string } & (
  | { text: string }
  | { fields: readonly (readonly [name: string, value: string])[] }
)

export const PASSWORD_BLANK = 'YOUR-SIP-PASSWORD'

/** Registration interval. */
const REGISTER_SECONDS = 600

export function snippetsFor(account: Account): Snippet[] {
  return [asterisk(account), freePbx(account), freeSwitch(account), threeCx(account), softphone(account)]
}

const passwordOf = ({ password }: Account) => password ?? PASSWORD_BLANK

/** Usernames may contain @, which must be escaped in a SIP URI. IPv6 addresses need brackets. */
const inAddress = (username: string) => username.replace(/[@+]/g, encodeURIComponent)
const hostOf = ({ server }: Account) => (server.includes(':') ? `[${server}]` : server)

const asterisk = (account: Account): Snippet => ({
  name: 'Asterisk',
  where:
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Asterisk syntax
    'Add this to pjsip.conf, which must already define a UDP transport, then run “core reload”. Dial with Dial(PJSIP/${EXTEN}@trunkline).',
  text: `[trunkline]
type=registration
server_uri=sip:${hostOf(account)}:${account.port}
client_uri=sip:${inAddress(account.username)}@${hostOf(account)}
outbound_auth=trunkline
expiration=${REGISTER_SECONDS}
retry_interval=60

[trunkline]
type=auth
auth_type=userpass
username=${account.username}
password=${passwordOf(account)}

[trunkline]
type=aor
contact=sip:${hostOf(account)}:${account.port}
qualify_frequency=60

[trunkline]
type=endpoint
context=from-trunkline
disallow=all
allow=ulaw,alaw
outbound_auth=trunkline
aors=trunkline
from_user=${account.username}
from_domain=${hostOf(account)}
direct_media=no`,
})

const freePbx = (account: Account): Snippet => ({
  name: 'FreePBX',
  where:
    'Go to Connectivity > Trunks > Add Trunk > Add SIP (chan_pjsip) Trunk. On the “pjsip Settings” tab, enter:',
  fields: [
    ['Username', account.username],
    ['Auth username', account.username],
    ['Secret', passwordOf(account)],
    ['Authentication', 'Outbound'],
    ['Registration', 'Send'],
    ['SIP Server', account.server],
    ['SIP Server Port', String(account.port)],
    ['Context', 'from-pstn'],
    ['Transport', '0.0.0.0-udp'],
  ],
})

const freeSwitch = (account: Account): Snippet => ({
  name: 'FreeSWITCH',
  where:
    'Save this as sip_profiles/external/trunkline.xml, then run “sofia profile external rescan”. Dial with sofia/gateway/trunkline/NUMBER.',
  text: `<include>
  <gateway name="trunkline">
    <param name="username" value="${account.username}"/>
    <param name="password" value="${passwordOf(account)}"/>
    <param name="realm" value="${account.realm}"/>
    <param name="from-domain" value="${hostOf(account)}"/>
    <param name="proxy" value="${hostOf(account)}:${account.port}"/>
    <param name="register" value="true"/>
    <param name="register-transport" value="udp"/>
    <param name="expire-seconds" value="${REGISTER_SECONDS}"/>
    <param name="retry-seconds" value="30"/>
    <param name="caller-id-in-from" value="false"/>
  </gateway>
</include>`,
})

const threeCx = (account: Account): Snippet => ({
  name: '3CX',
  where: 'Go to Voice & Chat > Add Trunk > Generic VoIP Provider. Enter your caller ID as Main Trunk No.',
  fields: [
    ['Registrar/Server', account.server],
    ['Port', String(account.port)],
    ['Type of Authentication', 'Register/Account based'],
    ['Authentication ID', account.username],
    ['Authentication Password', passwordOf(account)],
  ],
})

const softphone = (account: Account): Snippet => ({
  name: 'Softphone',
  where: 'In Zoiper, Linphone, MicroSIP or another softphone, add an account:',
  fields: [
    ['Username', account.username],
    ['Password', passwordOf(account)],
    ['Domain', account.server],
    ['Port', `${account.port} (UDP or TCP), ${account.tlsPort} (TLS)`],
    ['Authentication username', account.username],
  ],
})
