import type { RefObject } from 'react'

type FlowFileInputProps = { ref: RefObject<HTMLInputElement | null>; onFile: (file: File) => void }

/** Hidden. A button opens it with `ref.current.click()`. */
export const FlowFileInput = ({ ref, onFile }: FlowFileInputProps) => (
  <input
    ref={ref}
    type="file"
    accept=".json,application/json"
    aria-label="Flow file"
    tabIndex={-1}
    className="hidden"
    onChange={({ target }) => {
      const file = target.files?.[0]
      // The same file can be chosen again.
      target.value = ''
      if (file) onFile(file)
    }}
  />
)
