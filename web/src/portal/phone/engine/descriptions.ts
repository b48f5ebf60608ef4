type Description = { originator: string; sdp: string }

/** Offers only Opus, which handles packet loss best. With more codecs the switch would choose that of the carrier. */
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

/**
 * Makes the switch start the encryption of an incoming call: Chromium's first DTLS message is fragmented, and rtpengine cannot
 * reassemble it. The offer leaves the choice to us.
 */
export function letSwitchStart(description: Description): void {
  if (description.originator === 'remote')
    description.sdp = description.sdp.replace(/^a=setup:actpass\r?$/gm, 'a=setup:active\r')
}
