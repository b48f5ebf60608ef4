export function PromoCodes() {
  return <h1 className="font-semibold text-2xl tracking-tight">Promo Codes</h1>
}
