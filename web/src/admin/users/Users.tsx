export function Users() {
  return <h1 className="font-semibold text-2xl tracking-tight">User Management</h1>
}
