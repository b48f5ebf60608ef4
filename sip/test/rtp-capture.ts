import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { decodeG711 } from '../../media/g711.ts'
import { join, recognize } from '../../media/tones.ts'

/** A raw socket gets a copy of every UDP packet that the kernel delivers to the address. Node has none, and it needs root. */
const COPY = `
  use Socket;
  socket(my $raw, PF_INET, SOCK_RAW, getprotobyname('udp') || 17) or die "raw socket: $!";
  setsockopt($raw, SOL_SOCKET, SO_RCVBUF, 4 << 20);
  bind($raw, pack_sockaddr_in(0, inet_aton($ARGV[0]))) or die "bind: $!";
  $| = 1;
  print "ready\\n";
  while (defined recv($raw, my $packet, 65535, 0)) { print unpack('H*', $packet), "\\n" }
`
const UDP_HEADER = 8
const RTP_HEADER = 12
const PCMA = 8

/** The A-law audio that arrives at an address, whoever listens there. */
export async function captureRtp(address: string) {
  const child = spawn('perl', ['-e', COPY, address], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const audio = new Map<number, Int16Array[]>()
  const [first] = await Promise.race([once(lines, 'line'), once(child, 'exit')])
  if (first !== 'ready') throw new Error('a capture of RTP needs root and perl')
  lines.on('line', (line) => {
    const packet = Buffer.from(line, 'hex')
    const udp = packet.subarray(((packet[0] ?? 0) & 0x0f) * 4)
    const rtp = udp.subarray(UDP_HEADER)
    const isAudio = rtp.length > RTP_HEADER && rtp[0] === 0x80 && ((rtp[1] ?? 0) & 0x7f) === PCMA
    if (!isAudio) return
    const from = udp.readUInt16BE(0)
    const packets = audio.get(from) ?? []
    packets.push(decodeG711(rtp.subarray(RTP_HEADER), 'alaw'))
    audio.set(from, packets)
  })
  return {
    /** The signatures that arrived from each port, in order. rtpengine has a port of its own for each call. */
    heard: (): number[][] => [...audio.values()].map((packets) => recognize(join(...packets))),
    close: () => void child.kill(),
  }
}
