import type { UserSort } from '@trunkline/contract/admin-users'
import { Refusal } from '@trunkline/contract/errors'
import type { Cursor, ListedUser } from './list-store.ts'

/** Cursor after the last row of a page: its id and its sort value. */
export const cursorAfter = ({ id, place }: Pick<ListedUser, 'id' | 'place'>): string => `${id}~${place}`

const WHOLE = /^-?[0-9]{1,18}$/

/** Refuses a cursor of another sort order. */
export function readCursor(text: string, sort: UserSort): Cursor {
  const [, id = '', value = ''] = /^([0-9]{1,9})~(.*)$/s.exec(text) ?? []
  const isByName = sort === 'name' || sort === 'name_desc'
  if (id === '' || (!isByName && !WHOLE.test(value))) throw new Refusal('invalid_input')
  return { id: Number(id), value }
}
