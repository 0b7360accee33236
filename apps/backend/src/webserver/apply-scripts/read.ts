/** Reads a site's current file on a server, to compare it with what was installed. */
import { gunzipSync } from 'node:zlib';
import { exitNames, shell, type ShellCommand } from '../../platform/ssh';
import { readTold } from '../../servers';
import readFile from './read.sh';

export const readExit = {
  /** Too long for the report of a run's step. A plain command can show it. */
  tooLong: 19,
} as const;

const textMark = '::text\n';
const read = shell(readFile, ['nginx_folder', 'file'], exitNames(readExit));

/** Says what `read.sh` does of a site's file. */
export const readScript = ({ nginxPath, file }: { nginxPath: string; file: string }): ShellCommand =>
  read({ nginx_folder: nginxPath, file });

/**
 * The report of `readScript` as a step of a run; undefined if there is no file.
 * @throws Error if it is not such a report
 */
export const foundIn = ({
  sha256,
  text,
}: Record<string, string>): { text: string; sha256: string } | undefined => {
  if (sha256 === '-') return undefined;
  if (!sha256 || text === undefined)
    throw new Error("The server did not report the site's configuration file.");
  return { sha256, text: gunzipSync(Buffer.from(text, 'base64')).toString() };
};

export interface LiveFile {
  /** Undefined if there is no file. */
  sha256?: string;
  bytes: number;
  modifiedAt?: Date;
  /** The first 512 kB. */
  text: string;
  nginxRuns: boolean;
}

/**
 * The output of `readScript` as a plain command.
 * @throws Error if it is not such an answer
 */
export const readLiveFile = (output: Buffer): LiveFile => {
  const mark = output.indexOf(`\n${textMark}`);
  const told = mark === -1 ? output : output.subarray(0, mark + 1);
  const { sha256, bytes, modifiedAt, running } = readTold(told.toString()).report;
  if (sha256 === undefined || running === undefined)
    throw new Error("The server did not report the site's configuration file.");
  return {
    ...(sha256 !== '-' && { sha256 }),
    bytes: Number(bytes ?? 0),
    ...(modifiedAt && { modifiedAt: new Date(Number(modifiedAt) * 1000) }),
    text: mark === -1 ? '' : output.subarray(mark + 1 + textMark.length).toString(),
    nginxRuns: running === 'yes',
  };
};
