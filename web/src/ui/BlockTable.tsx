import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Table, TBody, THead, Tr } from './Table.tsx'

type BlockTableProps = {
  caption: string
  /** Of the selection before, while the new one is on its way. */
  isOld?: boolean
  heads: ReactNode
  children: ReactNode
}

/** A table where there is room for one; on a phone each row is a block of its own. */
export const BlockTable = ({ caption, isOld = false, heads, children }: BlockTableProps) => (
  <Table className={cx('transition-opacity max-md:block', isOld && 'opacity-50')}>
    <caption className="sr-only">{caption}</caption>
    <THead className="max-md:sr-only">
      <Tr>{heads}</Tr>
    </THead>
    <TBody className="max-md:block">{children}</TBody>
  </Table>
)
