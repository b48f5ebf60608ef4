/** Loaded when a dialog is first opened. */
export { DeleteRoute } from './DeleteRoute.tsx'
export { RouteDialog } from './RouteDialog.tsx'
