import { Front } from '../../shared/desk/front.tsx'

/** Signs an operator in: then the session query is refetched, and the screen that was wanted appears. */
export function SignIn() {
  return (
    <Front title="Sign in" heading="Operators’ desk" intro="Sign in to open this page." isNarrow>
      {undefined}
    </Front>
  )
}
