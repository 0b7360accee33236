/**
 * Keeps the instant of a replay in the URL (`?t=12.4`), so a reload or a shared link shows the same instant. It is
 * written only while the replay is paused.
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { parseTime, timeParam, type Player } from '../../records/run-output';
import { useStillHere } from '../../ui/use-still-here';

const STANDS_MS = 300;

export const momentOf = (search: string): number | undefined =>
  parseTime(new URLSearchParams(search).get('t'));

export const useMomentAddress = (player: Player | undefined): void => {
  const navigate = useNavigate();
  const location = useLocation();
  const written = useRef(location.search);

  const stillHere = useStillHere();
  /** Returns whether it is done; `false` means try again later. */
  const write = useEffectEvent((to: Player): boolean => {
    if (to.playing) return true;
    if (!stillHere()) return false;
    const { search, hash, state } = location;
    const params = new URLSearchParams(search);
    if (to.atEnd) params.delete('t');
    else params.set('t', timeParam(to.recorded));
    const next = params.size === 0 ? '' : `?${params.toString()}`;
    if (next === search) return true;
    written.current = next;
    void navigate(
      { search: next, hash },
      { replace: true, preventScrollReset: true, state: state as unknown },
    );
    return true;
  });

  useEffect(() => {
    if (!player) return undefined;
    let timer: ReturnType<typeof setInterval> | undefined;
    const later = () => {
      clearInterval(timer);
      if (!player.playing) timer = setInterval(() => write(player) && clearInterval(timer), STANDS_MS);
    };
    const stop = player.subscribe(later);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [player]);

  // A link or the Back button put another instant into the URL.
  useEffect(() => {
    if (!player || location.search === written.current) return;
    written.current = location.search;
    const wanted = momentOf(location.search);
    if (wanted === undefined) player.seek(player.timeline.durationMs);
    else player.seek(wanted);
  }, [player, location.search]);
};
