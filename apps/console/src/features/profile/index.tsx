import { Link } from 'react-router';
import { CopyText } from '../../ui/CopyText';
import { PageHeader } from '../../ui/PageHeader';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import styles from './Profile.module.css';
import { Accounts } from './Accounts';
import { Name } from './Name';
import { SecondFactor } from './SecondFactor';
import { Sessions } from './Sessions';

export { ResetNotice } from './ResetNotice';

export default function Profile() {
  const { profile, instance, can } = useSession();
  return (
    <>
      <PageHeader title="Profile" />
      <dl className={styles.facts}>
        <dt>Name</dt>
        <dd>
          <Name />
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
      <Accounts />
      <SecondFactor />
      <Sessions />
    </>
  );
}
