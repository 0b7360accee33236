/** Reads a site's current file on a server, to compare it with what was installed. */
import { gunzipSync } from 'node:zlib';
import { nginxWhereItRuns, readTold } from '../../servers';
import { lockFunctions } from './lock';
import { nginxProcessFunctions } from './nginx-process';
import { webPrelude } from './web-prelude';

export const readExit = {
  /** Too long for the report of a run's step. A plain command can show it. */
  tooLong: 19,
} as const;

const textMark = '::text\n';
const maxBytes = 512 * 1024;
/** Limit of the compressed text in base64: the report of a step has to fit into 8 kB. */
const maxPacked = 7000;

/**
 * Arguments: `readArguments`. Reports `file`, `running` (yes or no), `sha256` (`-` for no file), `bytes` and
 * `modifiedAt` (seconds since the epoch). As a step of a run, it also reports `text` (gzip in base64). As a plain
 * command, it prints the first 512 kB of the text after the line `::text`. Changes nothing.
 */
export const readScript = `${webPrelude}${nginxWhereItRuns}${lockFunctions}${nginxProcessFunctions}
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

/** The folder of sites and the name of the file. */
export const readArguments = ({ nginxPath, file }: { nginxPath: string; file: string }): string[] => [
  nginxPath,
  file,
];

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
