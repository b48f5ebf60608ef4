/**
 * Idempotency key: the server runs a command once per key. Create it when a form opens. (crypto.randomUUID is missing on
 * plain HTTP pages.)
 */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
