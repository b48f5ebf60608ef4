/**
 * Torture messages after RFC 4475, with the names used there. `to` is the address of the switch, `from` that of the sender.
 */
export function tortureMessages(to: string, from: string): { name: string; text: string }[] {
  const body =
    'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 49217 RTP/AVP 0\r\n'
  const message = (
    name: string,
    { first, lines, text }: { first?: string; lines?: string[]; text?: string },
  ) => {
    const method = /^\S+/.exec(first ?? 'INVITE')?.[0] ?? 'INVITE'
    const standard: Record<string, string> = {
      Via: `SIP/2.0/UDP ${from};branch=z9hG4bK-${name}`,
      From: `<sip:caller@${from}>;tag=${name}`,
      To: `<sip:442071234567@${to}>`,
      'Call-ID': `${name}@torture`,
      CSeq: `1 ${method}`,
      Contact: `<sip:caller@${from}>`,
      'Max-Forwards': '70',
      'Content-Type': 'application/sdp',
      'Content-Length': String(body.length),
    }
    for (const line of lines ?? []) {
      const [header = ''] = line.split(':')
      if (header.trim() in standard) delete standard[header.trim()]
    }
    const kept = Object.entries(standard).map(([header, value]) => `${header}: ${value}`)
    const all = [
      first ?? `INVITE sip:442071234567@${to} SIP/2.0`,
      ...kept,
      ...(lines ?? []).filter((line) => !line.endsWith(':-')),
    ]
    return { name, text: text ?? `${all.join('\r\n')}\r\n\r\n${body}` }
  }
  const long = 'x'.repeat(6_000)
  return [
    message('wsinv', {
      first: `INVITE sip:vivekg@${to};unknownparam SIP/2.0`,
      lines: [
        `TO :\r\n sip:vivekg@${to} ;   tag    = 1918181833n`,
        `from   : "J Rosenberg \\\\\\""       <sip:jdrosen@${from}>\r\n  ;\r\n  tag = 98asjd8`,
        'MaX-fOrWaRdS: 0068',
        'Call-ID: wsinv.ndaksdj@192.0.2.1',
        'cseq: 0009\r\n  INVITE',
        `Via  : SIP  /   2.0\r\n /UDP\r\n    ${from};branch=390skdjuw`,
        'NewFangledHeader:   newfangled value\r\n continued newfangled value',
        `v:  SIP  / 2.0  / TCP     spindle.example.com   ;\r\n  branch  =   z9hG4bK9ikj8  ,\r\n SIP  /    2.0   / UDP  192.168.255.111   ; branch=\r\n z9hG4bK30239`,
      ],
    }),
    message('intmeth', {
      first: `!interesting-Method0123456789_*+\`.%indeed'~ sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@${to} SIP/2.0`,
      lines: ["CSeq: 139122385 !interesting-Method0123456789_*+`.%indeed'~"],
    }),
    message('esc01', { first: `INVITE sip:sips%3Auser%40example.com@${to} SIP/2.0` }),
    message('escnull', {
      first: `REGISTER sip:${to} SIP/2.0`,
      lines: [`To: sip:null-%00-null@${to}`, 'CSeq: 1 REGISTER', 'Contact: <sip:%00@host5.example.com>'],
    }),
    message('esc02', { first: `RE%47IST%45R sip:${to} SIP/2.0`, lines: ['CSeq: 29344 RE%47IST%45R'] }),
    message('lwsdisp', { lines: [`From: caller<sip:caller@${from}>;tag=323`] }),
    message('longreq', {
      lines: [
        `To: "I have a user name of ${long}"<sip:user@${to}:6000;unknownparam1=very${long}>`,
        `From: sip:amazinglylongcallername${long}@example.net;tag=12982424`,
        `Unknown-${long}: value`,
        ...Array.from({ length: 30 }, (_, i) => `Via: SIP/2.0/UDP sip${i}.example.com;branch=z9hG4bK${i}`),
      ],
    }),
    message('semiuri', {
      first: `OPTIONS sip:user;par=u%40example.net@${to} SIP/2.0`,
      lines: ['CSeq: 8 OPTIONS'],
    }),
    message('transports', {
      first: `OPTIONS sip:user@${to} SIP/2.0`,
      lines: [
        'CSeq: 1 OPTIONS',
        `Via: SIP/2.0/UNKNOWN ${from};branch=z9hG4bKkdjuw`,
        'Via: SIP/2.0/SCTP t2;branch=z9hG4bK0',
      ],
    }),
    message('badinv01', {
      lines: [
        `To: <sip:j.user@${to}>`,
        `Via: SIP/2.0/UDP ${from};;,;,,`,
        'Contact: "Joe" <sip:joe@example.org>;;;;',
      ],
    }),
    message('clerr', { lines: ['Content-Length: 9999'] }),
    message('ncl', { lines: ['Content-Length: -999'] }),
    message('scalar02', {
      lines: ['CSeq: 36893488147419103232 INVITE', 'Max-Forwards: 300', 'Expires: 1000000000000000000000000'],
    }),
    message('scalarlg', {
      lines: ['Expires: 0', 'Retry-After: 949302838503028349304023988', 'Warning: 1812 overture "x"'],
    }),
    message('quotbal', { lines: [`To: "Mr. J. User <sip:j.user@${to}>`] }),
    message('ltgtruri', { first: `INVITE <sip:user@${to}> SIP/2.0` }),
    message('lwsruri', { first: `INVITE sip:user@${to}; lr SIP/2.0` }),
    message('lwsstart', { first: `INVITE  sip:user@${to}  SIP/2.0` }),
    message('trws', { first: `OPTIONS sip:remote-target@${to} SIP/2.0  `, lines: ['CSeq: 1 OPTIONS'] }),
    message('escruri', { first: `INVITE sip:user@${to}?Route=%3Csip:example.com%3E SIP/2.0` }),
    message('baddate', { lines: ['Date: Fri, 01 Jan 2010 16:00:00 EST'] }),
    message('badaspec', { lines: [`To: "Watson, Thomas" < sip:t.watson@${to} >`] }),
    message('baddn', { lines: [`To: Bell, Alexander <sip:a.g.bell@${to}>;tag=43`] }),
    message('badvers', { first: `OPTIONS sip:t.watson@${to} SIP/7.0`, lines: ['CSeq: 1 OPTIONS'] }),
    message('mismatch01', { first: `OPTIONS sip:user@${to} SIP/2.0`, lines: ['CSeq: 8 INVITE'] }),
    message('mismatch02', { first: `NEWMETHOD sip:user@${to} SIP/2.0`, lines: ['CSeq: 8 INVITE'] }),
    message('bigcode', {
      text: `SIP/2.0 4294967301 better not break the receiver\r\nVia: SIP/2.0/UDP ${to};branch=z9hG4bK9\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:c@d>;tag=2\r\nCall-ID: bigcode\r\nCSeq: 353494 INVITE\r\nContent-Length: 0\r\n\r\n`,
    }),
    message('badbranch', { lines: [`Via: SIP/2.0/UDP ${from};branch=z9hG4bK`] }),
    message('insuf', {
      text: `INVITE sip:user@${to} SIP/2.0\r\nCSeq: 193942 INVITE\r\nVia: SIP/2.0/UDP ${from};branch=z9hG4bKkdj.insuf\r\nContent-Length: 0\r\n\r\n`,
    }),
    message('unkscm', { first: 'INVITE nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0' }),
    message('novelsc', { first: 'INVITE soap.beep://192.0.2.103:3002 SIP/2.0' }),
    message('unksm2', {
      first: `REGISTER sip:${to} SIP/2.0`,
      lines: ['To: isbn:2983792873', 'CSeq: 1 REGISTER'],
    }),
    message('bext01', {
      lines: [
        'Require: nothingSupportsThis, nothingSupportsThisEither',
        'Proxy-Require: noProxiesSupportThis',
      ],
    }),
    message('invut', { lines: ['Content-Type: application/unknownformat'] }),
    message('regaut01', {
      first: `REGISTER sip:${to} SIP/2.0`,
      lines: ['CSeq: 1 REGISTER', 'Authorization: NoOneKnowsThisScheme opaque-data=here'],
    }),
    message('multi01', {
      lines: [
        'CSeq: 5 INVITE',
        'CSeq: 6 INVITE',
        `To: <sip:a@${to}>`,
        `To: <sip:b@${to}>`,
        'Call-ID: one',
        'Call-ID: two',
      ],
    }),
    message('mcl01', {
      first: `OPTIONS sip:user@${to} SIP/2.0`,
      lines: ['CSeq: 5 OPTIONS', 'Content-Length: 13', 'Content-Length: 5'],
    }),
    message('zeromf', {
      first: `OPTIONS sip:user@${to} SIP/2.0`,
      lines: ['CSeq: 1 OPTIONS', 'Max-Forwards: 0'],
    }),
    message('cparam01', {
      first: `REGISTER sip:${to} SIP/2.0`,
      lines: ['CSeq: 1 REGISTER', 'Contact: sip:+19725552222@gw1.example.net;unknownparam'],
    }),
    message('regescrt', {
      first: `REGISTER sip:${to} SIP/2.0`,
      lines: ['CSeq: 1 REGISTER', 'Contact: <sip:user@example.com?Route=%3Csip:sip.example.com%3E>'],
    }),
    message('inv2543', {
      text: `INVITE sip:UserB@${to} SIP/2.0\r\nVia: SIP/2.0/UDP ${from}\r\nFrom: <sip:UserA@${from}>\r\nTo: <sip:UserB@${to}>\r\nCall-ID: inv2543\r\nCSeq: 1 INVITE\r\nContent-Type: application/sdp\r\n\r\n${body}`,
    }),
  ]
}

const methods = [
  'INVITE',
  'ACK',
  'BYE',
  'CANCEL',
  'REGISTER',
  'OPTIONS',
  'SUBSCRIBE',
  'NOTIFY',
  'UPDATE',
  'PRACK',
  'REFER',
]
const answers = [
  '100 Trying',
  '183 Session Progress',
  '200 OK',
  '302 Moved',
  '407 Proxy Authentication Required',
  '503 No',
]

/** Valid messages to mutate: every method, inside and outside a dialog, and replies with one and two Vias. */
export function everyKindOfMessage(to: string, from: string): string[] {
  const message = (first: string, method: string, { tag = '', vias = 1, extra = [] as string[] }) =>
    [
      first,
      ...Array<string>(vias).fill(`Via: SIP/2.0/UDP ${from};rport;branch=z9hG4bKab1.cd2.0`),
      `From: <sip:caller@${from}>;tag=one`,
      `To: <sip:442071234567@${to}>${tag}`,
      'Call-ID: any',
      `CSeq: 1 ${method}`,
      `Contact: <sip:caller@${from}>`,
      ...extra,
      'Content-Length: 0\r\n\r\n',
    ].join('\r\n')
  const proof =
    'Digest username="alice", realm="trunkline", nonce="1.2.3", uri="sip:x", response="00", nc=1, cnonce="x"'
  const inside = [
    ...[`Route: <sip:${to};lr;ftag=one;did=1a.2b>`, `Record-Route: <sip:${from};lr>`, 'Require: 100rel'],
    ...[`Authorization: ${proof}`, `Proxy-Authorization: ${proof}`, 'Expires: 60', 'Event: presence'],
  ]
  const challenge = ['Proxy-Authenticate: Digest realm="x", nonce="y"', `Record-Route: <sip:${to};lr>`]
  return methods.flatMap((method) => [
    message(`${method} sip:442071234567@${to} SIP/2.0`, method, {}),
    message(`${method} sip:442071234567@${to} SIP/2.0`, method, { tag: ';tag=two', extra: inside }),
    ...answers.flatMap((answer) =>
      [1, 2].map((vias) => message(`SIP/2.0 ${answer}`, method, { tag: ';tag=two', vias, extra: challenge })),
    ),
  ])
}

/** Seeded mutations, so that a failure can be reproduced. */
export function createMutator(seed: number): (text: string) => Buffer {
  let state = seed
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const spots: ((bytes: Buffer) => Buffer)[] = [
    (bytes) => {
      bytes[random(bytes.length)] = random(256)
      return bytes
    },
    (bytes) => bytes.subarray(0, random(bytes.length)),
    (bytes) => {
      const from = random(bytes.length)
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + random(40))])
    },
    (bytes) => {
      const at = random(bytes.length)
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.alloc(random(300), random(256)),
        bytes.subarray(at),
      ])
    },
    (bytes) => {
      const lines = bytes.toString('latin1').split('\r\n')
      const [moved = ''] = lines.splice(random(lines.length), 1)
      lines.splice(random(lines.length), 0, ...Array(random(4)).fill(moved))
      return Buffer.from(lines.join('\r\n'), 'latin1')
    },
    (bytes) => {
      const numbers = [
        '-1',
        '0',
        '4294967296',
        '99999999999999999999',
        '%s%n',
        '\u0000',
        ';;,,',
        '"',
        '<',
        'sip:',
      ]
      return Buffer.from(
        bytes
          .toString('latin1')
          .replace(/\d+/g, (found) => (random(12) === 0 ? (numbers[random(10)] ?? '') : found)),
        'latin1',
      )
    },
  ]
  return (text) => {
    let bytes: Buffer = Buffer.from(text, 'latin1')
    for (let times = 1 + random(4); times > 0 && bytes.length > 1; times--)
      bytes = spots[random(spots.length)]?.(bytes) ?? bytes
    return bytes
  }
}
