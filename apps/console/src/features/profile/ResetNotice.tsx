/** Tells people that somebody else removed their second factors. */
import { useMemo } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { useNotices, type Notice } from '../../records/notices';
import { RelativeTime } from '../../ui/RelativeTime';

export function ResetNotice() {
  const { secondFactorResetAt: at } = useSession();
  const notices = useMemo((): readonly Notice[] => {
    if (at === undefined) return [];
    const message = (
      <>
        Your second factor was reset <RelativeTime at={at} />. If you did not ask for this, tell an
        administrator. <Link to={paths.profile()}>Add a second factor</Link>
      </>
    );
    return [{ id: 'second-factor-reset', mark: at, message }];
  }, [at]);
  useNotices('second-factor', notices, ([first]) => first?.message);
  return null;
}
