export function Balances() {
  return <h1 className="font-semibold text-2xl tracking-tight">Balance Management</h1>
}
