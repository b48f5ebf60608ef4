export function Trunks() {
  return <h1 className="font-semibold text-2xl tracking-tight">Trunks &amp; Plans</h1>
}
