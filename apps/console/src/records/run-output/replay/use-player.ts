/**
 * A player for a run that has ended and whose output has loaded. Speed and skipping are remembered for the next one.
 */
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { OutputLog } from '../output-log';
import { Player, type Span } from './player';
import type { Speed } from './replay-clock';

const remembered = { getInitialValueInEffect: false };

interface PlayerChoice {
  /** `undefined` while there is nothing to play. */
  span: Span | undefined;
  /** Start position in recorded milliseconds; the end by default. */
  at?: number;
}

export const usePlayer = (log: OutputLog, { span, at }: PlayerChoice) => {
  const [speed, setSpeed] = useLocalStorage<Speed>({
    key: 'quarterdeck.replay-speed',
    defaultValue: 1,
    ...remembered,
  });
  const [skipIdle, setSkipIdle] = useLocalStorage({
    key: 'quarterdeck.replay-skip-idle',
    defaultValue: true,
    ...remembered,
  });
  const player = useMemo(() => {
    if (!span) return undefined;
    const created = new Player(log, span, { speed, skipIdle });
    if (at !== undefined) created.seek(at);
    return created;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- later choices are passed to the existing player
  }, [log, span]);
  useEffect(() => player?.setSpeed(speed), [player, speed]);
  useEffect(() => player?.setSkipIdle(skipIdle), [player, skipIdle]);
  useEffect(() => () => player?.pause(), [player]);
  return { player, setSpeed, setSkipIdle };
};

const NOTHING = () => () => undefined;

/** Re-renders only when the value read from the player changes. */
export const usePlayed = <T extends string | number | boolean | undefined>(
  player: Player | undefined,
  read: (player: Player) => T,
): T | undefined => useSyncExternalStore(player?.subscribe ?? NOTHING, () => player && read(player));
