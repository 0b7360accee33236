/** The frame of every signed-in page. */
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router';
import { ConfirmHost } from '../../ui/confirm';
import { Actor } from '../../records/actor';
import { ActorOfChange } from '../../ui/form/actor-of-change';
import { UndoHost } from '../../records/history/UndoHost';
import { overlayPart } from '../../ui/part';
import { hasPast, usePast } from '../../core/past/past-state';
import { useSession } from '../../core/session';
import { listenForShortcuts, useShortcut } from '../../core/shortcuts';
import { Footer } from './Footer';
import { closePalette, loadingPalette, openPalette, usePalette } from './palette/palette-state';
import { ReleaseNews } from './ReleaseNews';
import { RunNews } from './RunNews';
import styles from './Shell.module.css';
import { tabsFor } from './tabs';
import { TopBar } from './TopBar';

const actor = (id: string): ReactNode => <Actor id={id} />;

const PastBar = overlayPart(() => import('../past/PastBar').then((past) => ({ default: past.PastBar })));
const loadPalette = () => loadingPalette(import('./palette/CommandPalette'));
const CommandPalette = overlayPart(loadPalette);
const ShortcutHelp = overlayPart(() => import('./ShortcutHelp'));

interface ShellProps {
  /** What tells administrators of what goes on, wherever they are. */
  news?: ReactNode;
}

export function Shell({ news }: ShellProps) {
  const { can } = useSession();
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const palette = usePalette();
  const [wanted, setWanted] = useState(false);
  if (palette.opened && !wanted) setWanted(true);
  const [help, setHelp] = useState<'unused' | 'open' | 'closed'>('unused');
  const at = usePast();
  const [line, setLine] = useState(false);
  const looksBack = can('admin') && hasPast(pathname);
  const openHelp = useCallback((): void => setHelp('open'), []);

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
  // People type as soon as the palette opens. Late parts are requested again then.
  useEffect(() => whenIdle(() => void loadPalette().catch(() => undefined)), []);
  useEffect(() => closePalette, []);

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
        <ActorOfChange value={actor}>
          <Outlet key={at ?? 'now'} />
        </ActorOfChange>
      </main>
      <Footer />
      <ReleaseNews />
      {can('admin') && at === undefined && <RunNews />}
      {can('admin') && at === undefined && news}
      <ConfirmHost />
      <UndoHost />
      {help !== 'unused' && <ShortcutHelp opened={help === 'open'} onClose={() => setHelp('closed')} />}
      {wanted && <CommandPalette onHelp={openHelp} />}
      <ScrollRestoration />
    </div>
  );
}

/** Calls it when the page has been drawn and nothing else is to do. Returns how to call it off. */
const whenIdle = (call: () => void): (() => void) => {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(call, 1_000);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(call);
  return () => window.cancelIdleCallback(handle);
};

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
