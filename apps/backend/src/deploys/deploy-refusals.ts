/** Explains why a step of a deploy failed. Pure. */
import type { Explanation, Report } from '../runs';
import { applyExit } from '../webserver';
import { deployExit } from './deploy-scripts/deploy-exit';

const GOES_ON = 'Any previous version keeps serving.';

const sentences: Record<number, [code: string, reason: string]> = {
  [deployExit.login]: [
    'login',
    `The registry refused the stored token. Store a token that may read packages. ${GOES_ON}`,
  ],
  [deployExit.noLogin]: [
    'noLogin',
    `The registry wants a login, or does not have the image. Add its login to the container registries in Settings, or correct the name of the image. ${GOES_ON}`,
  ],
  [deployExit.architecture]: [
    'architecture',
    `The image is made for another kind of processor than the server has: build it for that one, too. ${GOES_ON}`,
  ],
  [deployExit.registry]: ['registry', `The registry does not answer. Try again later. ${GOES_ON}`],
  [deployExit.noImage]: [
    'noImage',
    `The registry has no such image. Publish it, or add a version with the name of one that exists. ${GOES_ON}`,
  ],
  [deployExit.pull]: ['pull', `The package could not be pulled. ${GOES_ON}`],
  [deployExit.start]: ['start', `The container could not be started. ${GOES_ON}`],
  [deployExit.ended]: ['ended', `The container ended by itself. ${GOES_ON}`],
  [deployExit.unhealthy]: ['unhealthy', `The health check did not succeed in time. ${GOES_ON}`],
  [deployExit.damaged]: [
    'damaged',
    `The package is not what the registry says, or no npm package. ${GOES_ON}`,
  ],
  [deployExit.noPage]: [
    'noPage',
    `The package has no index.html where the service says: correct the path of its package. ${GOES_ON}`,
  ],
  [deployExit.imageUnhealthy]: [
    'imageUnhealthy',
    `The image's own health check did not succeed in time. ${GOES_ON}`,
  ],
};

export const sentence = (exitCode: number): Explanation | undefined => {
  const [code, reason] = sentences[exitCode] ?? [];
  return code === undefined || reason === undefined ? undefined : { code, reason };
};

/** Also explains refusals by nginx, and what happened after the switch. */
export const refusal = (exitCode: number, { error = '', why = '' }: Report): Explanation | undefined => {
  if (exitCode === deployExit.takenBack)
    return {
      code: 'takenBack',
      reason: `The new version went live and failed there, so it was taken back. ${why} Any previous version serves again.`,
    };
  if (exitCode === applyExit.conflict)
    return {
      code: 'portTaken',
      reason: 'Another service of this server answers at the port of this one. Give it a port of its own.',
    };
  if (exitCode === applyExit.notRunning && /bind\(\)/.test(error))
    return {
      code: 'portTaken',
      reason: `Another program of this server listens at the port of the service. ${GOES_ON}`,
    };
  return sentence(exitCode);
};
