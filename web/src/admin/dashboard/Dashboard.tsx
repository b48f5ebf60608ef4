export function Dashboard() {
  return <h1 className="font-semibold text-2xl tracking-tight">Dashboard</h1>
}
