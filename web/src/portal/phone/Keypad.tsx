const keys = [
  ['1', ''],
  ['2', 'ABC'],
  ['3', 'DEF'],
  ['4', 'GHI'],
  ['5', 'JKL'],
  ['6', 'MNO'],
  ['7', 'PQRS'],
  ['8', 'TUV'],
  ['9', 'WXYZ'],
  ['*', ''],
  ['0', '+'],
  ['#', ''],
] as const

const names: Record<string, string> = { '*': 'Star', '#': 'Hash' }

export function Keypad({ onPress }: { onPress: (digit: string) => void }) {
  return (
    <fieldset aria-label="Keypad" className="grid grid-cols-3 gap-1.5">
      {keys.map(([digit, letters]) => (
        <button
          key={digit}
          type="button"
          aria-label={names[digit]}
          onClick={() => onPress(digit)}
          className="flex h-12 flex-col items-center justify-center rounded-md border border-edge/40 bg-raised leading-none transition-colors hover:border-edge active:bg-sunken"
        >
          <span className="figures font-medium text-lg leading-tight">{digit}</span>
          <span aria-hidden className="h-3 text-muted text-[0.625rem] tracking-wider">
            {letters}
          </span>
        </button>
      ))}
    </fieldset>
  )
}
