export function Alerts() {
  return <h1 className="font-semibold text-2xl tracking-tight">Alerts</h1>
}
