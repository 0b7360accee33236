/** The read models: pure folds and the views they make. The runner that fills tables with them is `./runner`. */
import { history } from './history';
import { people } from './people';
import { runs } from './runs';
import { scripts } from './scripts';
import { servers } from './servers';
import { subjects } from './subjects';
import { workspaces } from './workspaces';

export * from './define-projection';
export * from './fleet';
export * from './health';
export * from './history';
export * from './people';
export * from './run-output';
export * from './runs';
export * from './scripts';
export * from './servers';
export * from './subjects';
export * from './workspaces';

/** All of them, as the runner follows them. */
export const projections = [workspaces, people, servers, scripts, runs, subjects, history] as const;
