import { IconBox, IconServer, IconShieldStar, IconWorld, type Icon } from '@tabler/icons-react';
import { Link } from 'react-router';
import { PageHeader } from '../../ui/PageHeader';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import styles from './Pages.module.css';

const cards: readonly { title: string; caption: string; to: string; icon: Icon }[] = [
  { title: 'Product', caption: 'Manage your products', to: paths.products(), icon: IconBox },
  { title: 'Domain', caption: 'Manage your domains', to: paths.domains(), icon: IconWorld },
  { title: 'Server', caption: 'Manage your servers', to: paths.servers(), icon: IconServer },
];

export default function Home() {
  const { can, instance, profile } = useSession();
  if (!can('admin')) {
    return (
      <>
        <PageHeader title="Welcome" />
        <p>
          Welcome{profile.firstName ? `, ${profile.firstName}` : ''}. You are signed in to {instance.name}.
        </p>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Home" />
      <ul className={styles.cards}>
        {cards.map(({ title, caption, to, icon: Shape }) => (
          <li key={to}>
            <Link to={to} className={styles.card}>
              <Shape size={20} stroke={1.6} aria-hidden />
              <strong>{title}</strong>
              <span>{caption}</span>
            </Link>
          </li>
        ))}
      </ul>
      {can('superadmin') && (
        <p>
          <Link to={paths.superadmin()} className={styles.aside}>
            <IconShieldStar size={15} aria-hidden /> Superadmin
          </Link>
        </p>
      )}
    </>
  );
}
