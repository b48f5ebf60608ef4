export function UserPage() {
  return <h1 className="font-semibold text-2xl tracking-tight">User</h1>
}
