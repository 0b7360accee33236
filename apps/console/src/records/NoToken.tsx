/** In place of what the source host would list, for a person who has stored no token for it. */
import { Link } from 'react-router';
import { paths } from '../core/paths';
import { Note } from '../ui/Note';

/** Status of the answer when the source host has no such package. Other failures say nothing about packages. */
export const UNKNOWN_PACKAGE = 422;

export const NoToken = () => (
  <Note mt={12} role="status">
    No GitHub token is stored, so the source host was not asked.{' '}
    <Link to={paths.settings()}>Store one in your settings</Link>.
  </Note>
);
