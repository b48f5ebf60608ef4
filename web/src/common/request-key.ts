/**
 * Names one intention: sent twice under it, a command is done once. Made when a form opens, not when it is sent.
 * (randomUUID is missing where the page came over plain HTTP.)
 */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
