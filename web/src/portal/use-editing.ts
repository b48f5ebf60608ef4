import { useEffect, useRef, useState } from 'react'

/** Switches between reading and editing. Returns the focus to the edit button when the form closes. */
export function useEditing() {
  const [isEditing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)

  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  return { isEditing, setEditing, button }
}
