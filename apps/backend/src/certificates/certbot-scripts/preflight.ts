import { exitNames, shell, type ShellCommand } from '../../platform/ssh';
import preflight from './preflight.sh';

export const preflightExit = {
  /** nginx does not answer on port 80. */
  silent: 30,
  /** nginx answers, but not with the file in the folder. */
  another: 31,
} as const;

export type PreflightAction = 'check' | 'place' | 'take';

const preflightNames = shell(preflight, ['names', 'webroot', 'action', 'token'], exitNames(preflightExit));

/** @param token letters, digits, - and _; also the content of the proof */
export const preflightScript = (
  names: readonly string[],
  webroot: string,
  action: PreflightAction,
  token: string,
): ShellCommand => preflightNames({ names: names.join(' '), webroot, action, token });
