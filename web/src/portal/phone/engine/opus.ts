/** What JsSIP lets one change before it is sent. */
type Description = { originator: string; sdp: string }

/**
 * Offers Opus alone, which bears a bad network as nothing else does; the switch translates for carriers. Left with the choice it
 * would take what the carrier takes.
 */
export function preferOpus(description: Description): void {
  if (description.originator !== 'local') return
  const kept = [...description.sdp.matchAll(/^a=rtpmap:(\d+) (?:opus|telephone-event)\/48000/gim)].map(
    ([, type]) => type,
  )
  if (kept.length === 0) return
  description.sdp = description.sdp
    .replace(/^(m=audio \d+ \S+).*$/m, `$1 ${kept.join(' ')}`)
    .replace(/^a=(?:rtpmap|fmtp|rtcp-fb):(\d+) .*\r\n/gm, (line, type) => (kept.includes(type) ? line : ''))
}
