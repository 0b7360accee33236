/** Tells administrators that their credentials are missing or no good any more; closed, it comes back when that changes. */
import { storedToken } from '@quarterdeck/contract';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { usePast } from '../../core/past/past-state';
import { paths } from '../../core/paths';
import { banner } from '../../ui/toast';

const BANNER = 'credentials';
/** The warnings that were on the banner when it was closed. */
const CLOSED = 'quarterdeck.credentials.closed';

const closedBefore = (): string | null => {
  try {
    return localStorage.getItem(CLOSED);
  } catch {
    return null;
  }
};

const rememberClosed = (warnings: string): void => {
  try {
    localStorage.setItem(CLOSED, warnings);
  } catch {
    // A browser that keeps nothing shows the banner again on the next page.
  }
};

export default function CredentialBanner() {
  const inPast = usePast() !== undefined;
  const { data } = useAnswer(storedToken.validity, {}, { skip: inPast });
  useEffect(() => {
    if (inPast) return banner.hide(BANNER);
    if (!data) return;
    const warnings = data.warnings.join(' ');
    if (warnings === '' || warnings === closedBefore()) return banner.hide(BANNER);
    const isMissing = data.warnings.some((warning) => warning.endsWith('was not given'));
    banner.show(
      BANNER,
      <>
        {isMissing
          ? 'It looks like the source-host credentials are not inserted, add them in the profile.'
          : warnings}{' '}
        <Link to={paths.settings()}>Click here</Link>
      </>,
      () => rememberClosed(warnings),
    );
  }, [data, inPast]);
  useEffect(() => () => banner.hide(BANNER), []);
  return null;
}
