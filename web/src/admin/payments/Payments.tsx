export function Payments() {
  return <h1 className="font-semibold text-2xl tracking-tight">All Payments</h1>
}
