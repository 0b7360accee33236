import { Link } from 'react-router';
import { CopyText } from '../../ui/CopyText';
import { PageHeader } from '../../ui/PageHeader';
import { paths } from '../paths';
import { useSession } from '../session';
import styles from './Pages.module.css';
import { ProfileAccounts } from './ProfileAccounts';
import { ProfileName } from './ProfileName';
import { ProfileSessions } from './ProfileSessions';

export default function Profile() {
  const { profile, instance, can } = useSession();
  return (
    <>
      <PageHeader title="Profile" />
      <dl className={styles.facts}>
        <dt>Name</dt>
        <dd>
          <ProfileName />
        </dd>
        <dt>Email</dt>
        <dd>{profile.email || 'No email given'}</dd>
        <dt>UUID</dt>
        <dd>
          <CopyText value={profile.id} />
        </dd>
        <dt>Instance UUID</dt>
        <dd>
          <CopyText value={instance.uuid} />
        </dd>
      </dl>
      {can('superadmin') && (
        <p>
          <Link to={paths.superadmin()}>Superadmin</Link>
        </p>
      )}
      <ProfileAccounts />
      <ProfileSessions />
    </>
  );
}
