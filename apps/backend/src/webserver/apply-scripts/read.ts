/** What lies on a server now, to hold against what was put there. */
import { gunzipSync } from 'node:zlib';
import { readTold } from '../../servers';
import { lockFunctions } from './lock';
import { nginxProcessFunctions } from './nginx-process';
import { webPrelude } from './web-prelude';

export const readExit = {
  /** Too long to be told by a step of a run; a plain command can show it. */
  tooLong: 19,
} as const;

const textMark = '::text\n';
const maxBytes = 512 * 1024;
/** Of the packed text, in base64: what a step tells has to fit into 8 kB. */
const maxPacked = 7000;

/**
 * Arguments: `readArguments`. Reports `file`, `running` (yes or no), `sha256` (`-` for no file), `bytes` and `modifiedAt`
 * (seconds since the epoch); then, as a step of a run, `text` (gzip in base64), and as a plain command the text itself
 * behind the line `::text`, its first 512 kB. Changes nothing.
 */
export const readScript = `${webPrelude}${lockFunctions}${nginxProcessFunctions}
site_file "$2"
live=$(printf '%s' "$1" | sed 's,//*$,,')/$2
[ ! -d "$live" ] || fail 2 "$live is a folder."
found=$(sha256_of "$live")
[ -n "$found" ] || fail 126 "$live cannot be read by $(id -un)."
report file "$live"
report sha256 "$found"
running=no
if have nginx; then
  pid_file=$(built_in pid-path)
  ! find_master || running=yes
fi
report running "$running"
[ "$found" != - ] || exit 0
report bytes "$(($(wc -c <"$live")))"
report modifiedAt "$(stat -L -c %Y "$live")"
if [ -n "$plain" ]; then
  echo '::text'
  head -c ${maxBytes} "$live"
  exit 0
fi
note "$live has $(($(wc -c <"$live"))) bytes, SHA-256 $found."
packed=$(gzip -9 -c <"$live" | if have base64; then base64; else openssl base64; fi | tr -d '\\n')
[ "\${#packed}" -le ${maxPacked} ] || fail ${readExit.tooLong} "$live is too long to be told by a run."
report text "$packed"
`;

/** The folder of the sites and the file's name. */
export const readArguments = ({ nginxPath, file }: { nginxPath: string; file: string }): string[] => [
  nginxPath,
  file,
];

/**
 * What `readScript` reported as a step of a run: nothing when there is no file.
 * @throws Error when that is not its report
 */
export const foundIn = ({
  sha256,
  text,
}: Record<string, string>): { text: string; sha256: string } | undefined => {
  if (sha256 === '-') return undefined;
  if (!sha256 || text === undefined) throw new Error('The server did not say what the file of the site is.');
  return { sha256, text: gunzipSync(Buffer.from(text, 'base64')).toString() };
};

export interface LiveFile {
  /** Nothing when there is no file. */
  sha256?: string;
  bytes: number;
  modifiedAt?: Date;
  /** The first 512 kB. */
  text: string;
  nginxRuns: boolean;
}

/**
 * What `readScript` printed as a plain command.
 * @throws Error when that is not its answer
 */
export const readLiveFile = (output: Buffer): LiveFile => {
  const mark = output.indexOf(`\n${textMark}`);
  const told = mark === -1 ? output : output.subarray(0, mark + 1);
  const { sha256, bytes, modifiedAt, running } = readTold(told.toString()).report;
  if (sha256 === undefined || running === undefined)
    throw new Error('The server did not say what the file of the site is.');
  return {
    ...(sha256 !== '-' && { sha256 }),
    bytes: Number(bytes ?? 0),
    ...(modifiedAt && { modifiedAt: new Date(Number(modifiedAt) * 1000) }),
    text: mark === -1 ? '' : output.subarray(mark + 1 + textMark.length).toString(),
    nginxRuns: running === 'yes',
  };
};
