/** A run over many servers, as it is answered: a line for each server, whether it has its turn yet or not. */
import type { RunView } from './runs';

export interface FleetHost {
  server: { id: string; name: string };
  /** Known before there is a run. */
  runId: string;
  run?: RunView;
  /** Why there is no run, and will be none. */
  notStarted?: string;
  lastLine?: string;
}

export interface FleetDetail {
  run: RunView;
  hosts: FleetHost[];
}
