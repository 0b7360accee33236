import { ActionIcon, Burger, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { alerts as alertCalls } from '@quarterdeck/contract';
import { isStanding } from '@quarterdeck/projections';
import { IconBell, IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useAnswer } from '../../core/calls';
import { count } from '../../ui/count';
import { InstantControl } from '../as-of/InstantControl';
import { Hint } from '../../ui/Hint';
import { overlayPart } from '../../ui/part';
import { useAsOf } from '../../core/as-of/as-of-state';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { RunsInProgress } from './RunsInProgress';
import styles from './Shell.module.css';
import { activeTab, tabsFor } from './tabs';
import { absoluteTime } from '../../ui/RelativeTime';
import { useConnection, type ConnectionState } from '../../core/connection';
import { AccountButton } from './AccountButton';
import { useAllNotices, useNoticeMemory } from '../../records/notices';

const NavDrawer = overlayPart(() => import('./NavDrawer'));

const isMac = /mac/i.test(navigator.platform);

interface TopBarProps {
  onPalette: () => void;
  /** The pointer or the focus has come to its button. */
  onNearPalette: () => void;
  onHelp: () => void;
  /** State of the timeline bar and a function to toggle it; undefined where the past cannot be shown. */
  timeline: { open: boolean; toggle: () => void } | undefined;
}

export function TopBar({ onPalette, onNearPalette, onHelp, timeline }: TopBarProps) {
  const inPast = useAsOf() !== undefined;
  const { instance, can } = useSession();
  const { pathname } = useLocation();
  const [menu, { toggle, close }] = useDisclosure(false);
  const [wanted, setWanted] = useState(false);
  const tabs = tabsFor(can);
  const { data: alerts = [] } = useAnswer(alertCalls.list, { open: true }, { skip: !can('admin') });
  const open = alerts.filter(isStanding).length;
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
      {tab.to === paths.alerts() && open > 0 && (
        <span className={styles.count} title={`${count(open, 'open alert')}`}>
          {open.toLocaleString('en')}
        </span>
      )}
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
        <button
          type="button"
          className={styles.find}
          onClick={onPalette}
          onPointerEnter={onNearPalette}
          onFocus={onNearPalette}
        >
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

const words = { live: 'Live', reconnecting: 'Reconnecting', offline: 'Offline' } as const;

/** Before the first connection nothing was lost. */
const isFirst = ({ state, times, since }: ConnectionState): boolean =>
  state !== 'live' && times === undefined && since === undefined;

const details = ({ state, lagMs, position, times, since }: ConnectionState): string => {
  if (state === 'live') {
    return [
      'Updates live',
      lagMs !== undefined && `answer in ${lagMs} ms`,
      position !== undefined && `at event ${position}`,
    ]
      .filter(Boolean)
      .join(', ');
  }
  if (isFirst({ state, times, since })) return 'Connecting. The page updates by itself once that is done.';
  const when = since ? ` since ${absoluteTime(since)}` : '';
  return `No live connection${when}. The page may be out of date. It updates when the connection is back.`;
};

function ConnectionDot() {
  const connection = useConnection();
  return (
    <Hint label={details(connection)} maw={280}>
      <span className={styles.connection} data-state={connection.state} role="status" tabIndex={0}>
        <span className={styles.dot} aria-hidden />
        <span className={styles.connectionWord}>
          {isFirst(connection) ? 'Connecting' : words[connection.state]}
        </span>
      </span>
    </Hint>
  );
}

/** The account button. Its menu is loaded on hover, focus or click, since no page needs it at first. */
const AccountMenu = overlayPart(() => import('./AccountMenu'));

function UserMenu({ onHelp }: { onHelp: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const want = (): void => setWanted(true);
  const open = (): void => {
    want();
    setOpened(true);
  };
  return (
    <>
      {!loaded && (
        <AccountButton
          ref={button}
          onPointerEnter={want}
          onFocus={want}
          // The menu's own button may replace this one before the press ends: then nothing gets the click.
          onMouseDown={({ button: pressed }) => pressed === 0 && open()}
          onClick={open}
        />
      )}
      {wanted && (
        <AccountMenu
          before={button}
          onLoaded={() => setLoaded(true)}
          opened={opened}
          onChange={setOpened}
          onHelp={onHelp}
        />
      )}
    </>
  );
}

/** Shows the number of notices not dismissed, and opens the list of them. */
const NoticeDrawer = overlayPart(() => import('./NoticeDrawer'));

function NoticeBell() {
  const [opened, { open, close }] = useDisclosure(false);
  const [wanted, setWanted] = useState(false);
  const memory = useNoticeMemory();
  const { notices, complete, failed } = useAllNotices();
  const left = memory ? notices.filter((notice) => memory.stateOf(notice) !== 'dismissed') : [];
  const known = memory !== undefined && complete;
  const none = known ? 'No notices' : 'Notices';
  const words = left.length === 0 ? none : left.length === 1 ? '1 notice' : `${left.length} notices`;
  return (
    <>
      <Hint label={words}>
        <button
          type="button"
          className={styles.bell}
          data-some={left.length > 0 || undefined}
          aria-label={words}
          onClick={() => {
            setWanted(true);
            open();
          }}
        >
          <IconBell size={16} aria-hidden />
          {left.length > 0 && <span>{left.length}</span>}
        </button>
      </Hint>
      {wanted && (
        <NoticeDrawer
          opened={opened}
          notices={left}
          known={known}
          failed={failed}
          onDismiss={(dismissed) => memory?.remember(dismissed, 'dismissed')}
          onClose={close}
        />
      )}
    </>
  );
}
