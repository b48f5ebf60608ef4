import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Table, TBody, THead, Th, Tr } from './Table.tsx'

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

type Head = string | { name: string; isNumeric?: boolean; isHidden?: boolean }

export const numeric = (name: string): Head => ({ name, isNumeric: true })

/** Only for screen readers. */
export const hidden = (name: string): Head => ({ name, isHidden: true })

/** The head cells of a table. `className` is for every cell. */
export const headCells = (heads: readonly Head[], className = 'py-2.5 md:first:pl-4 md:last:pr-4') =>
  heads.map((head) => {
    const { name, isNumeric = false, isHidden = false } = typeof head === 'string' ? { name: head } : head
    return (
      <Th key={name} numeric={isNumeric} className={className}>
        {isHidden ? <span className="sr-only">{name}</span> : name}
      </Th>
    )
  })
