import { Moon, Sun } from 'lucide-react'
import { useTheme } from './theme.ts'

export function ThemeToggle({ className = '' }: { className?: string }) {
  const { theme, toggle } = useTheme()
  const next = theme === 'dark' ? 'light' : 'dark'
  const Icon = theme === 'dark' ? Sun : Moon
  return (
    <button
      type="button"
      onClick={toggle}
      aria-label={`Switch to ${next} theme`}
      title={`Switch to ${next} theme`}
      className={`grid size-10 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-ink/6 hover:text-ink ${className}`}
    >
      <Icon aria-hidden className="size-4.5" />
    </button>
  )
}
