/** What the colours of a drawing mean; the table behind it says the same in words. */
export const Legend = ({ entries }: { entries: readonly (readonly [colour: string, word: string])[] }) => (
  <p aria-hidden className="flex gap-4 text-muted text-xs">
    {entries.map(([colour, word]) => (
      <span key={word} className="flex items-center gap-1.5">
        <span className={`size-2.5 rounded-sm ${colour}`} /> {word}
      </span>
    ))}
  </p>
)
