/** The frame of every signed-in page. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router';
import { ConfirmHost } from '../../ui/confirm';
import { UndoHost } from '../../records/history/UndoHost';
import { overlayPart } from '../../ui/part';
import { hasPast, usePast } from '../../core/past/past-state';
import { useSession } from '../../core/session';
import { listenForShortcuts, useShortcut } from '../../core/shortcuts';
import { Footer } from './Footer';
import { ReleaseNews } from './ReleaseNews';
import { RunNews } from './RunNews';
import styles from './Shell.module.css';
import { tabsFor } from './tabs';
import { TopBar } from './TopBar';

const PastBar = overlayPart(() => import('../past/PastBar').then((past) => ({ default: past.PastBar })));
const CommandPalette = overlayPart(() => import('./CommandPalette'));
const ShortcutHelp = overlayPart(() => import('./ShortcutHelp'));

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
      {looksBack && (line || at !== undefined) && <PastBar />}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {/* Nothing of one instant stands on the page of another. */}
        <Outlet key={at ?? 'now'} />
      </main>
      <Footer />
      <ReleaseNews />
      {can('admin') && at === undefined && <RunNews />}
      {can('admin') && at === undefined && news}
      <ConfirmHost />
      <UndoHost />
      {help !== 'unused' && <ShortcutHelp opened={help === 'open'} onClose={() => setHelp('closed')} />}
      {palette !== 'unused' && (
        <CommandPalette opened={palette === 'open'} onClose={() => setPalette('closed')} onHelp={openHelp} />
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

/** After a change of page the focus stands at its beginning, unless the page put it somewhere itself. */
const useFocusOnNewPage = (pathname: string, main: { current: HTMLElement | null }): void => {
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
};
