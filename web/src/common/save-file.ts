/** Hands a finished file to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // Not at once: some browsers begin to read only after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
