export { inventoryColumns } from './columns.ts'
export {
  type InventoryLine,
  type InventoryList,
  type LineFault,
  type LineValues,
  readInventory,
} from './read-inventory.ts'
