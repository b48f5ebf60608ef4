import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Table, TBody, THead, Tr } from './Table.tsx'

type BlockTableProps = {
  caption: string
  /** The rows belong to the previous selection while the new one loads. */
  isOld?: boolean
  heads: ReactNode
  children: ReactNode
}

/** A table; on a phone each row is a block. */
export const BlockTable = ({ caption, isOld = false, heads, children }: BlockTableProps) => (
  <Table className={cx('transition-opacity max-md:block', isOld && 'opacity-50')}>
    <caption className="sr-only">{caption}</caption>
    <THead className="max-md:sr-only">
      <Tr>{heads}</Tr>
    </THead>
    <TBody className="max-md:block">{children}</TBody>
  </Table>
)
