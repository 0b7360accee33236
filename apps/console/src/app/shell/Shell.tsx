/** The frame of every signed-in page. */
import { Button, Stack } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router';
import { ConfirmHost } from '../../ui/confirm';
import { Actor } from '../../records/actor';
import { ActorOfChange } from '../../ui/form/actor-of-change';
import { ProofHost } from '../../records/second-factor/fresh-proof';
import { UndoHost } from '../../records/history/UndoHost';
import { overlayPart, part } from '../../ui/part';
import { hasAsOf, useAsOf } from '../../core/as-of/as-of-state';
import { useAsOfNow } from '../../core/as-of/clock';
import { keepFocus } from '../../core/kept-focus';
import { profileName, useSession } from '../../core/session';
import { listenForShortcuts, useShortcut } from '../../core/shortcuts';
import { offerWaiting } from '../../core/waiting';
import { askToWait } from '../../records/runs/ask-to-wait';
import { closePalette, loadingPalette, openPalette, usePalette } from './palette/palette-state';
import { RunNews } from './RunNews';
import asOf from '../as-of/as-of.module.css';
import styles from './Shell.module.css';
import { tabsFor } from './tabs';
import { TopBar } from './TopBar';
import { copyToClipboard } from '../../ui/copying';
import { usePrintedAt } from '../../ui/printing';
import { absoluteTime } from '../../ui/RelativeTime';
import { TIME_ZONE } from '../../ui/time-zone';
import { banner, toast } from '../../ui/toast';
import { useConnection } from '../../core/connection';
import { judgeRelease } from '../../core/parts';

const actor = (id: string): ReactNode => <Actor id={id} />;

const AsOfBar = part(
  () => import('../as-of/AsOfBar').then((past) => ({ default: past.AsOfBar })),
  'Loading the timeline',
);
const loadPalette = () => loadingPalette(import('./palette/CommandPalette'));
const CommandPalette = overlayPart(loadPalette);
/** Loads it while a hand is on its way to it. If that fails, opening it requests it again. */
const preloadPalette = (): void => void loadPalette().catch(() => undefined);
const ShortcutHelp = overlayPart(() => import('./ShortcutHelp'));

interface ShellProps {
  /** Banners that administrators see on every page. */
  news?: ReactNode;
  /** Shown if somebody else removed the person's second factors. */
  ownNews?: ReactNode;
}

export function Shell({ news, ownNews }: ShellProps) {
  const { can, secondFactorResetAt } = useSession();
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const palette = usePalette();
  const [wanted, setWanted] = useState(false);
  if (palette.opened && !wanted) setWanted(true);
  const [help, setHelp] = useState<'unused' | 'open' | 'closed'>('unused');
  const at = useAsOf();
  const [line, setLine] = useState(false);
  const looksBack = can('admin') && hasAsOf(pathname);
  const openHelp = useCallback((): void => setHelp('open'), []);

  // Layout effects: keys work as soon as the page is seen.
  useLayoutEffect(() => listenForShortcuts(), []);
  useEffect(() => keepFocus(), []);
  useShortcut('/', () => {
    const search = document.querySelector<HTMLInputElement>('[data-search]');
    if (search) search.focus();
    else openPalette();
  });
  useShortcut('?', openHelp);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Control' || event.key === 'Meta') preloadPalette();
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
  useEffect(() => closePalette, []);
  useEffect(() => offerWaiting(askToWait), []);

  return (
    <Stack gap={0} mih="100dvh" data-past={at !== undefined || undefined}>
      <a className={styles.skip} href="#main" onClick={() => main.current?.focus()}>
        Skip to content
      </a>
      {tabsFor(can).map(({ keys, to }) => (
        <GoTo key={keys} keys={keys} to={to} />
      ))}
      <TopBar
        onPalette={openPalette}
        onNearPalette={preloadPalette}
        onHelp={openHelp}
        timeline={looksBack ? { open: line, toggle: () => setLine((open) => !open) } : undefined}
      />
      {looksBack && (line || at !== undefined) && (
        // Drawn before its content has loaded, so that the page below does not jump.
        <section className={asOf.bar} data-past={at !== undefined || undefined} aria-label="Instant">
          <AsOfBar />
        </section>
      )}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {/* The key resets all page state when the instant changes. */}
        <ActorOfChange value={actor}>
          <Outlet key={at ?? 'now'} />
        </ActorOfChange>
      </main>
      <Footer />
      <Printed />
      <ReleaseNews />
      {can('admin') && at === undefined && <RunNews />}
      {can('admin') && at === undefined && news}
      {secondFactorResetAt !== undefined && at === undefined && ownNews}
      <ConfirmHost />
      <ProofHost />
      <UndoHost />
      {help !== 'unused' && <ShortcutHelp opened={help === 'open'} onClose={() => setHelp('closed')} />}
      {wanted && <CommandPalette onHelp={openHelp} />}
      <ScrollRestoration />
    </Stack>
  );
}

function GoTo({ keys, to }: { keys: string; to: string }) {
  const navigate = useNavigate();
  useShortcut(keys, () => void navigate(to));
  return null;
}

/** Focuses `main` after navigating to another page, unless that page has set the focus itself. */
const useFocusOnNewPage = (pathname: string, main: { current: HTMLElement | null }): void => {
  const last = useRef(pathname);
  useLayoutEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
};

const BUILT_AS = '0.5.14';

function Footer() {
  const { instance, version } = useSession();
  const copy = async (): Promise<void> => {
    if (await copyToClipboard(instance.uuid)) toast.success('Instance UUID copied');
    else
      toast.failure(
        `The browser does not allow copying here. The instance UUID is ${instance.uuid}.`,
        'Not copied',
      );
  };
  return (
    <footer className={styles.footer}>
      <a href="/api/docs">v{version ?? BUILT_AS}</a>
      <button type="button" onClick={() => void copy()} title="Copy the instance UUID">
        {instance.name}
      </button>
    </footer>
  );
}

/** On paper, below the page. */
function Printed() {
  const printedAt = usePrintedAt();
  const { instance, profile } = useSession();
  const past = useAsOfNow();
  if (printedAt === undefined) return null;
  const asOf = past === undefined ? '' : `, as of ${absoluteTime(new Date(past).toISOString())}`;
  return (
    <p className={styles.printed}>
      {instance.name}
      {asOf}. Printed by {profileName(profile)}, {absoluteTime(printedAt)}. Times: {TIME_ZONE}.
    </p>
  );
}

/** Offers to reload when the connection comes back to a newer version of the console. */
const BANNER = 'release';

function ReleaseNews() {
  const { state, since } = useConnection();
  const wasLost = useRef(false);
  useEffect(() => {
    if (since !== undefined) wasLost.current = true;
    if (state !== 'live' || !wasLost.current) return;
    wasLost.current = false;
    void judgeRelease().then((lateness) => {
      if (lateness !== 'released') return;
      banner.show(
        BANNER,
        <>
          A new version of the console was installed.{' '}
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </>,
      );
    });
  }, [state, since]);
  return null;
}
