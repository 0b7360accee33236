/**
 * Puts notices into the inbox. New ones also appear once on a banner, until the page changes or the banner is closed.
 * Closing it dismisses them.
 */
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { banner } from '../../ui/toast';
import { useNoticeMemory, type Marked, type NoticeMemory } from './notice-memory';
import { tellNotices, type Notice, type Told } from './notice-store';

const keyOf = ({ id, mark }: Marked): string => `${id} ${mark}`;

/**
 * @param source identifies the banner
 * @param summary text of the banner, for all notices together
 */
export const useNotices = (
  source: string,
  told: Told,
  summary: (notices: readonly Notice[]) => ReactNode,
): void => {
  const { pathname } = useLocation();
  const memory = useNoticeMemory();
  const latest = useRef<{ memory?: NoticeMemory | undefined; summary: typeof summary }>({ summary });
  /** Notices already shown in this tab, whether or not the server has recorded that. */
  const shown = useRef(new Set<string>());
  const open = useRef(false);
  useEffect(() => {
    latest.current = { memory, summary };
  });

  useEffect(() => {
    tellNotices(source, told);
  }, [source, told]);

  const notices = told === 'failed' ? undefined : told;
  const ready = memory !== undefined;
  useEffect(() => {
    const { memory: known, summary: words } = latest.current;
    if (!notices || !ready || !known) return;
    const fresh = notices.filter(
      (notice) => known.stateOf(notice) === undefined && !shown.current.has(keyOf(notice)),
    );
    fresh.forEach((notice) => shown.current.add(keyOf(notice)));
    if (fresh.length > 0) known.remember(fresh, 'seen');
    if (notices.length === 0) open.current = false;
    if (fresh.length > 0) open.current = true;
    if (!open.current) return banner.hide(source);
    banner.show(source, words(notices), () => {
      open.current = false;
      latest.current.memory?.remember(notices, 'dismissed');
    });
  }, [source, notices, ready]);

  const page = useRef(pathname);
  useEffect(() => {
    if (page.current === pathname) return;
    page.current = pathname;
    open.current = false;
    banner.hide(source);
  }, [source, pathname]);

  useEffect(
    () => () => {
      tellNotices(source, []);
      banner.hide(source);
    },
    [source],
  );
};
