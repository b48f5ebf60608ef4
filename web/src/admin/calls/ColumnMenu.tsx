import { Columns3 } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { type ColumnChoice, type ColumnName, choices } from './column-choice.ts'

type ColumnMenuProps = { choice: ColumnChoice; onChoose: (choice: ColumnChoice) => void }

/** Shows or hides columns. Phones have no columns. */
export const ColumnMenu = ({ choice, onChoose }: ColumnMenuProps) => (
  <Popover
    label="Columns"
    trigger={(props) => (
      <Button {...props} className="max-md:hidden">
        <Columns3 aria-hidden />
        Columns
      </Button>
    )}
  >
    {() => (
      <div className="flex flex-col gap-2">
        {(Object.keys(choices) as ColumnName[]).map((name) => (
          <Checkbox
            key={name}
            label={name}
            checked={choice[name]}
            onChange={(event) => onChoose({ ...choice, [name]: event.target.checked })}
          />
        ))}
        <Button size="sm" className="mt-1" onClick={() => onChoose({ ...choices })}>
          Reset columns
        </Button>
      </div>
    )}
  </Popover>
)
