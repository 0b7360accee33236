/** Tells administrators that their credentials are missing or no longer valid. */
import { storedToken } from '@quarterdeck/contract';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useNotices, type Notice } from '../../records/notices';

const MARK_LENGTH = 500;

export default function CredentialBanner() {
  const { data, error } = useAnswer(storedToken.validity);
  const notices = useMemo((): readonly Notice[] | undefined => {
    if (!data) return undefined;
    const warnings = data.warnings.join(' ');
    if (warnings === '') return [];
    const isMissing = data.warnings.some((warning) => warning.endsWith('was not given'));
    const message = (
      <>
        {isMissing
          ? 'It looks like the source-host credentials are not inserted, add them in the profile.'
          : warnings}{' '}
        <Link to={paths.settings()}>Click here</Link>
      </>
    );
    return [{ id: 'credentials', mark: warnings.slice(0, MARK_LENGTH), message }];
  }, [data]);
  useNotices(
    'credentials',
    notices ?? (error === undefined ? undefined : 'failed'),
    ([first]) => first?.message,
  );
  return null;
}
