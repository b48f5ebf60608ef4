import type { BulkAction, SkipReason } from '@trunkline/contract/bulk-actions'
import { formatCount } from '../../../common/format/numbers.ts'

export const actionLabels: Readonly<Record<BulkAction['kind'], string>> = {
  add_tag: 'Add a tag',
  remove_tag: 'Remove a tag',
  apply_template: 'Apply a limit template',
  select_route: 'Assign a route',
  make_premium: 'Make premium',
  end_premium: 'End premium',
  disable: 'Disable accounts',
  enable: 'Enable accounts',
}

export const skipWords: Readonly<Record<SkipReason, string>> = {
  unchanged: 'Already so',
  own_account: 'Your own account',
  administrator: 'Administrator',
  too_many_tags: 'Has 10 tags',
  premium_only: 'Not premium',
  merged: 'Merged account',
}

export const sayCount = (count: number): string => formatCount(count, 'user')

/** What follows from the action, besides the values of the preview. */
export const consequences: Partial<Readonly<Record<BulkAction['kind'], string>>> = {
  disable: 'Their live calls end, they are signed out everywhere and their phones are disconnected.',
  apply_template: 'The template replaces all administrator limits of these users.',
}
