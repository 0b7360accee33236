import { shell, type ShellCommand } from '../../platform/ssh';
import tail from './tail.sh';

const tailLogs = shell(tail, ['lines', 'seconds']);

/** @param seconds how long to follow; 0 for the last lines alone */
export const tailScript = (paths: readonly string[], lines: number, seconds: number): ShellCommand =>
  tailLogs({ lines, seconds }, paths);
