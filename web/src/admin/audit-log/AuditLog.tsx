export function AuditLog() {
  return <h1 className="font-semibold text-2xl tracking-tight">Audit Log</h1>
}
