/** Hidden from screen readers, which read the table of the chart. */
export const Legend = ({ entries }: { entries: readonly (readonly [color: string, word: string])[] }) => (
  <p aria-hidden className="flex gap-4 text-muted text-xs">
    {entries.map(([color, word]) => (
      <span key={word} className="flex items-center gap-1.5">
        <span className={`size-2.5 rounded-sm ${color}`} /> {word}
      </span>
    ))}
  </p>
)
