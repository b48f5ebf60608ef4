import type { Socket } from 'jssip'

/** Close code of the server for a phone that was ended. */
const ENDED_CODE = 4001

/** SIP over WebSocket. The token is a subprotocol, because URLs are logged. */
export function createSocket(path: string, token: string, onEnded: () => void): Socket {
  const url = new URL(path, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  let open: WebSocket | null = null

  const socket: Socket = {
    url: url.href,
    sip_uri: `sip:${url.host};transport=ws`,
    via_transport: url.protocol === 'wss:' ? 'WSS' : 'WS',
    isConnected: () => open?.readyState === WebSocket.OPEN,
    isConnecting: () => open?.readyState === WebSocket.CONNECTING,
    connect() {
      socket.disconnect()
      const opening = new WebSocket(url, ['sip', token])
      open = opening
      opening.onopen = () => socket.onconnect()
      opening.onmessage = ({ data }) => socket.ondata(data)
      opening.onclose = ({ wasClean, code, reason }) => {
        if (open !== opening) return
        open = null
        if (code === ENDED_CODE) onEnded()
        socket.ondisconnect(!wasClean, code, reason)
      }
    },
    disconnect() {
      const closing = open
      open = null
      closing?.close()
    },
    send(message) {
      if (open?.readyState !== WebSocket.OPEN) return false
      open.send(message as string)
      return true
    },
    // Set by JsSIP.
    onconnect() {},
    ondisconnect() {},
    ondata() {},
  }
  return socket
}
