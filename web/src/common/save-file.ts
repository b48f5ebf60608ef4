/** Starts a browser download. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // Some browsers read the URL later.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
