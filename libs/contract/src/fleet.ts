/** Runs over many servers. */
import { byId, fleetRerun, fleetStart } from '@quarterdeck/events/inputs';
import { fleetDetail } from '@quarterdeck/projections';
import { started } from './answers';
import { calls } from './call';
import { demo, newRunId } from './demo';

export const fleet = calls('fleet', 'admin', {
  start: {
    summary: 'Runs a fixed command or a saved script on many servers',
    input: fleetStart,
    example: { servers: [demo.server], script: demo.script, version: 2, concurrency: 5, runId: newRunId },
    answer: started,
    stales: 'runs',
  },
  detail: {
    summary: 'A run over many servers, with the run on each',
    input: byId,
    example: { id: demo.fleet },
    answer: fleetDetail,
    shows: 'runs',
    asOf: true,
  },
  rerun: {
    summary: 'Runs the same again on the servers where it did not succeed',
    input: fleetRerun,
    example: { id: demo.fleet, runId: newRunId },
    answer: started,
    stales: 'runs',
  },
});
