export function Support() {
  return <h1 className="font-semibold text-2xl tracking-tight">Support</h1>
}
