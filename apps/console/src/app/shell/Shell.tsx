/** The frame of every signed-in page. */
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router';
import { ConfirmHost } from '../../ui/confirm';
import { UndoHost } from '../../records/history/UndoHost';
import { AfterAWhile } from '../../ui/Loading';
import { Loader } from '@mantine/core';
import { hasPast, usePast } from '../../core/past/past-state';
import { useSession } from '../../core/session';
import { listenForShortcuts, useShortcut } from '../../core/shortcuts';
import { Footer } from './Footer';
import { RunNews } from './RunNews';
import styles from './Shell.module.css';
import { tabsFor } from './tabs';
import { TopBar } from './TopBar';

const PastBar = lazy(() => import('../past/PastBar').then((past) => ({ default: past.PastBar })));
const CommandPalette = lazy(() => import('./CommandPalette'));
const ShortcutHelp = lazy(() => import('./ShortcutHelp'));

interface ShellProps {
  /** What tells administrators of what goes on, wherever they are. */
  news?: ReactNode;
}

export function Shell({ news }: ShellProps) {
  const { can } = useSession();
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const [palette, setPalette] = useState<'unused' | 'open' | 'closed'>('unused');
  const [help, setHelp] = useState<'unused' | 'open' | 'closed'>('unused');
  const at = usePast();
  const [line, setLine] = useState(false);
  const looksBack = can('admin') && hasPast(pathname);
  const openPalette = (): void => setPalette('open');
  const openHelp = (): void => setHelp('open');

  useEffect(() => listenForShortcuts(), []);
  useShortcut('/', () => {
    const search = document.querySelector<HTMLInputElement>('[data-search]');
    if (search) search.focus();
    else openPalette();
  });
  useShortcut('?', openHelp);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      openPalette();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  useFocusOnNewPage(pathname, main);

  return (
    <div className={styles.shell} data-past={at !== undefined || undefined}>
      <a className={styles.skip} href="#main" onClick={() => main.current?.focus()}>
        Skip to content
      </a>
      {tabsFor(can).map(({ keys, to }) => (
        <GoTo key={keys} keys={keys} to={to} />
      ))}
      <TopBar
        onPalette={openPalette}
        onHelp={openHelp}
        timeline={looksBack ? { open: line, toggle: () => setLine((open) => !open) } : undefined}
      />
      {looksBack && (line || at !== undefined) && (
        <Suspense>
          <PastBar />
        </Suspense>
      )}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <Suspense fallback={<PageLoading />}>
          {/* Nothing of one instant stands on the page of another. */}
          <Outlet key={at ?? 'now'} />
        </Suspense>
      </main>
      <Footer />
      {can('admin') && at === undefined && <RunNews />}
      {can('admin') && at === undefined && <Suspense>{news}</Suspense>}
      <ConfirmHost />
      <UndoHost />
      {help !== 'unused' && (
        <Suspense>
          <ShortcutHelp opened={help === 'open'} onClose={() => setHelp('closed')} />
        </Suspense>
      )}
      {palette !== 'unused' && (
        <Suspense>
          <CommandPalette
            opened={palette === 'open'}
            onClose={() => setPalette('closed')}
            onHelp={openHelp}
          />
        </Suspense>
      )}
      <ScrollRestoration />
    </div>
  );
}

function GoTo({ keys, to }: { keys: string; to: string }) {
  const navigate = useNavigate();
  useShortcut(keys, () => void navigate(to));
  return null;
}

const PageLoading = () => (
  <AfterAWhile>
    <p role="status" className={styles.loading}>
      <Loader size="sm" aria-hidden /> Loading...
    </p>
  </AfterAWhile>
);

/** After a change of page the focus stands at its beginning, unless the page put it somewhere itself. */
const useFocusOnNewPage = (pathname: string, main: { current: HTMLElement | null }): void => {
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
};
