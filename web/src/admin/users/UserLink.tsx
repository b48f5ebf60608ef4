import { Link } from '@tanstack/react-router'

type UserLinkProps = {
  user: { id: number; username: string }
  className: string
  title?: string
  /** False in lists that change all the time. */
  preload?: false
}

/** The name of a user, linked to the page of the user. */
export const UserLink = ({ user, ...rest }: UserLinkProps) => (
  <Link to="/admin-panal/users/$id" params={{ id: String(user.id) }} {...rest}>
    {user.username}
  </Link>
)
