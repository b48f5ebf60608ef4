import { Plus } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'

/** A button with a plus sign. */
export const AddButton = ({ children, ...rest }: ComponentProps<typeof Button>) => (
  <Button {...rest}>
    <Plus aria-hidden />
    {children}
  </Button>
)
