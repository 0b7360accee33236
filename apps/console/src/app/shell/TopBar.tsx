import { ActionIcon, Burger, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { InstantControl } from '../past/InstantControl';
import { Hint } from '../../ui/Hint';
import { overlayPart } from '../../ui/part';
import { usePast } from '../../core/past/past-state';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { ConnectionDot } from './ConnectionDot';
import { NoticeBell } from './NoticeBell';
import { RunsInProgress } from './RunsInProgress';
import styles from './Shell.module.css';
import { activeTab, tabsFor } from './tabs';
import { UserMenu } from './UserMenu';

const NavDrawer = overlayPart(() => import('./NavDrawer'));

const isMac = /mac/i.test(navigator.platform);

interface TopBarProps {
  onPalette: () => void;
  onHelp: () => void;
  /** State of the timeline bar and a function to toggle it; undefined where the past cannot be shown. */
  timeline: { open: boolean; toggle: () => void } | undefined;
}

export function TopBar({ onPalette, onHelp, timeline }: TopBarProps) {
  const inPast = usePast() !== undefined;
  const { instance, can } = useSession();
  const { pathname } = useLocation();
  const [menu, { toggle, close }] = useDisclosure(false);
  const [wanted, setWanted] = useState(false);
  const tabs = tabsFor(can);
  const active = activeTab(pathname, tabs);
  const links = tabs.map((tab) => (
    <Link
      key={tab.to}
      to={tab.to}
      className={styles.tab}
      aria-current={tab === active ? 'page' : undefined}
      onClick={close}
    >
      {tab.label}
    </Link>
  ));
  return (
    <header className={styles.top}>
      <Burger
        className={styles.burger}
        opened={menu}
        onClick={() => {
          setWanted(true);
          toggle();
        }}
        size="xs"
        aria-label={menu ? 'Close navigation' : 'Open navigation'}
        aria-expanded={menu}
      />
      <Link to={paths.home()} className={styles.home} title={instance.name}>
        {instance.name}
      </Link>
      <nav aria-label="Main" className={styles.tabs}>
        {links}
      </nav>
      <div className={styles.right}>
        {can('admin') && !inPast && <RunsInProgress />}
        {can('admin') && !inPast && <NoticeBell />}
        {timeline && <InstantControl open={timeline.open} onToggle={timeline.toggle} />}
        <button type="button" className={styles.find} onClick={onPalette}>
          <IconSearch size={14} aria-hidden /> <span>Search</span>{' '}
          <Kbd size="xs">{isMac ? '⌘K' : 'Ctrl K'}</Kbd>
        </button>
        <Hint label="Search">
          <ActionIcon
            className={styles.findIcon}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Search"
            onClick={onPalette}
          >
            <IconSearch size={18} />
          </ActionIcon>
        </Hint>
        {!inPast && <ConnectionDot />}
        <UserMenu onHelp={onHelp} />
      </div>
      {wanted && (
        <NavDrawer opened={menu} onClose={close} title={instance.name}>
          {links}
        </NavDrawer>
      )}
    </header>
  );
}
