/**
 * The instant of a replay in the address (`?t=12.4`), so that a reload and a link show the same. Written when the
 * replay stands still, not while it plays: the address is no clock.
 */
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { parseTime, timeParam, type Player } from '../../ui/run-output';

const STANDS_MS = 300;

export const momentOf = (search: string): number | undefined =>
  parseTime(new URLSearchParams(search).get('t'));

export const useMomentAddress = (player: Player | undefined): void => {
  const navigate = useNavigate();
  const location = useLocation();
  const latest = useRef(location);
  latest.current = location;
  const written = useRef(location.search);

  useEffect(() => {
    if (!player) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      if (player.playing) return;
      const { search, hash, state } = latest.current;
      const params = new URLSearchParams(search);
      if (player.atEnd) params.delete('t');
      else params.set('t', timeParam(player.recorded));
      const next = params.size === 0 ? '' : `?${params.toString()}`;
      if (next === search) return;
      written.current = next;
      void navigate(
        { search: next, hash },
        { replace: true, preventScrollReset: true, state: state as unknown },
      );
    };
    const later = () => {
      clearTimeout(timer);
      if (!player.playing) timer = setTimeout(write, STANDS_MS);
    };
    const stop = player.subscribe(later);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [player, navigate]);

  // Another instant was put into the address, by a link or by the way back.
  useEffect(() => {
    if (!player || location.search === written.current) return;
    written.current = location.search;
    const wanted = momentOf(location.search);
    if (wanted === undefined) player.seek(player.timeline.durationMs);
    else player.seek(wanted);
  }, [player, location.search]);
};
