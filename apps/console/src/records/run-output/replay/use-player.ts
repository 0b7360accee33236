/** A player for a run that has ended and whose output is there; remembers speed and skipping for the next one. */
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { OutputLog } from '../output-log';
import { Player, type Span } from './player';
import type { Speed } from './replay-clock';

const remembered = { getInitialValueInEffect: false };

interface PlayerChoice {
  /** `undefined` while there is nothing to play. */
  span: Span | undefined;
  /** Where to begin, in recorded milliseconds; at the end when absent. */
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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is chosen later is told to the player there is
  }, [log, span]);
  useEffect(() => player?.setSpeed(speed), [player, speed]);
  useEffect(() => player?.setSkipIdle(skipIdle), [player, skipIdle]);
  useEffect(() => () => player?.pause(), [player]);
  return { player, setSpeed, setSkipIdle };
};

const NOTHING = () => () => undefined;

/** What is read of a player, and nothing else, makes the component anew. */
export const usePlayed = <T extends string | number | boolean | undefined>(
  player: Player | undefined,
  read: (player: Player) => T,
): T | undefined => useSyncExternalStore(player?.subscribe ?? NOTHING, () => player && read(player));
