import { Link } from 'react-router';
import { CopyText } from '../../ui/CopyText';
import { PageHeader } from '../../ui/PageHeader';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { Accounts } from './Accounts';
import { Name } from './Name';
import { SecondFactor } from './SecondFactor';
import { Sessions } from './Sessions';
import { Fact, Facts } from '../../ui/Facts';

export { ResetNotice } from './ResetNotice';

export default function Profile() {
  const { profile, instance, can } = useSession();
  return (
    <>
      <PageHeader title="Profile" />
      <Facts>
        <Fact label="Name">
          <Name />
        </Fact>
        <Fact label="Email">{profile.email || 'No email given'}</Fact>
        <Fact label="UUID">
          <CopyText value={profile.id} />
        </Fact>
        <Fact label="Instance UUID">
          <CopyText value={instance.uuid} />
        </Fact>
      </Facts>
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
