import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { toast } from './toast.ts'

const SHOWN_MS = 2_000

/** Copies a text and confirms it briefly. `what` names it for screen readers. */
export function CopyButton({
  text,
  what,
  isQuiet = false,
}: {
  text: string
  what: string
  /** Icon only, for lists. */
  isQuiet?: boolean
}) {
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    try {
      await writeToClipboard(text)
      setCopied(true)
    } catch {
      toast.error('The browser did not allow copying. Please select the text and copy it by hand.')
    }
  }

  const Sign = isCopied ? Check : Copy
  return (
    <>
      <Button
        size="sm"
        variant={isQuiet ? 'ghost' : 'secondary'}
        aria-label={`Copy ${what}`}
        title={`Copy ${what}`}
        onClick={() => void copy()}
        className={isQuiet ? 'px-2!' : undefined}
      >
        <Sign aria-hidden className={isCopied ? 'text-success' : undefined} />
        {!isQuiet && (isCopied ? 'Copied' : 'Copy')}
      </Button>
      <span role="status" className="sr-only">
        {isCopied && `Copied ${what}`}
      </span>
    </>
  )
}

/** The clipboard API needs HTTPS; plain HTTP uses execCommand. */
async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr-only'
  const dialog = document.activeElement?.closest('[role="dialog"]') ?? document.body
  dialog.append(field)
  const before = document.activeElement
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isDone) throw new Error('not copied')
}
