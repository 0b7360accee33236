import { shell } from '../shell';
import clean from './clean.sh';
import end from './end.sh';
import followOnly from './follow-only.sh';
import startAndFollow from './start-and-follow.sh';

/** Work that runs on its server by itself. `places.sh` says where its files are. */
export const detachedScripts = {
  startAndFollow: shell(startAndFollow, ['name', 'word', 'from', 'sweeps']),
  follow: shell(followOnly, ['name', 'word', 'from']),
  end: shell(end, ['name', 'word']),
  clean: shell(clean, ['name', 'word']),
};
