import { ANSWER_SECONDS } from '@quarterdeck/projections';
import { shell } from '../platform/ssh';
import probe from './probe.sh';

/** Services are asked with the patience of a deploy. */
export const probeScript = shell(probe, ['root', 'nginx_folder', 'paths'], {
  answer_seconds: ANSWER_SECONDS,
});
