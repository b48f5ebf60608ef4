import { useEffect, useRef, useState } from 'react'

/** Whether something is shown or being changed. The form takes its button away, and the focus with it: back it goes there. */
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
