/** Runs over many servers. */
import { byId, fleetRerun, fleetStart } from '@quarterdeck/events/inputs';
import { fleetDetail } from '@quarterdeck/projections';
import { started } from './answers';
import { calls } from './call';

export const fleet = calls('fleet', {
  start: {
    summary: 'Runs a fixed command or a saved script on many servers',
    access: 'admin',
    input: fleetStart,
    answer: started,
    stales: 'runs',
  },
  detail: {
    summary: 'A run over many servers, with the run on each',
    access: 'admin',
    input: byId,
    answer: fleetDetail,
    shows: 'runs',
    asOf: true,
  },
  rerun: {
    summary: 'Runs the same again on the servers where it did not succeed',
    access: 'admin',
    input: fleetRerun,
    answer: started,
    stales: 'runs',
  },
});
