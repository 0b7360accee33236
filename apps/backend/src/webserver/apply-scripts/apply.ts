/**
 * Installs and removes a site's file on a server. The server's own nginx tests it together with all other sites before
 * it goes live. The file is swapped atomically, verified by the new workers, and restored if anything fails.
 */
import { createHash } from 'node:crypto';
import { nginxWhereItRuns } from '../../servers';
import { applyExit } from './apply-exit';
import { judgingFunctions } from './judging';
import { lockFunctions } from './lock';
import { nginxProcessFunctions } from './nginx-process';
import { swapFunctions } from './swap';
import { upstreamNameFunctions } from './upstream-names';
import { webPrelude } from './web-prelude';

const start = `${webPrelude}${nginxWhereItRuns}
have nginx || missing nginx
many_files
plain_folder "$1" 'configuration of nginx'
nginx_folder=$folder
file=$2
site_file "$file"
plain_folder "$3" root
store=$folder/.quarterdeck/nginx
work=$store/work
expected=$4
wanted=$5
live=$nginx_folder/$file
to_prove=
signalled=
locked=
back=
`;

const work = `
drifted() {
  report found "$(sha256_of "$live")"
  rm -f "$temporary"
  fail ${applyExit.drift} "$live is not as it was left: something else has changed it on the server. Nothing was changed."
}
unexpected() {
  if [ "$expected" = '*' ] || [ "$expected" = "$found" ] || [ "$found" = "$wanted" ]; then return 1; fi
  [ -z "$interrupted" ] || [ "$expected" != "$was" ]
}

# Cleans up on every exit except kill -9.
finish() {
  code=$?
  trap - EXIT
  trap '' HUP INT TERM
  if [ -n "$to_prove" ] && [ -n "$back" ]; then
    put_back
    [ -z "$signalled" ] || kill -HUP "$master" 2>/dev/null
  fi
  [ -z "$locked" ] || rm -rf "$work"
  let_go
  exit "$code"
}

# $1: exit code, $2: what is wrong. Restores the last good file and makes nginx load it.
undo() {
  if [ -z "$to_prove" ] || [ -z "$back" ]; then
    to_prove=
    fail "$1" "$2 It lies there as it did before."
  fi
  if ! put_back; then
    to_prove=
    fail ${applyExit.broken} "$2 The file before it could not be put back."
  fi
  if nginx -t >"$work/said" 2>&1 && { [ -z "$signalled" ] || ! find_master || reload; }; then
    report putBack "$back"
    fail "$1" "$2 It was put back as it was."
  fi
  sed 's/^/  /' "$work/said" >&2
  fail ${applyExit.broken} "$2 It was put back as it was, and nginx does not take that any more either."
}

# The program that listens at port $1; nothing where that cannot be seen.
holder_of() {
  for inode in $(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v port="$(printf ':%04X' "$1")" '$4 == "0A" && substr($2, length($2) - 4) == port { print $10 }'); do
    for one in /proc/[0-9]*; do
      if ls -l "$one/fd" 2>/dev/null | grep -q -F "socket:[$inode]"; then
        cat "$one/comm"
        return
      fi
    done
  done
}
tell_holder() {
  busy=$(sed -n 's/.*bind() to .*:\\([0-9][0-9]*\\) failed (98.*/\\1/p' "$work/said" | head -n 1)
  [ -z "$busy" ] || [ -n "$container" ] || report holder "$(holder_of "$busy")"
}

run_it() {
  if ! nginx -t >"$work/said" 2>&1; then
    tell_error "$work/said"
    undo ${applyExit.refusedLive} 'nginx refused the configuration in its place.'
  fi
  if find_master; then
    signalled=yes
    if ! reload; then
      tell_error "$work/said"
      tell_holder
      undo ${applyExit.notRunning} 'nginx could not run the new configuration and goes on with the old one.'
    fi
    note "The workers of nginx run it."
  elif [ "$wanted" = - ]; then
    note 'nginx does not run, and stays so.'
  else
    note 'nginx does not run. Starting it.'
    if ! start_nginx; then
      tell_error "$work/said"
      tell_holder
      report stopped yes
      undo ${applyExit.notRunning} 'nginx could not be started.'
    fi
    did 'started nginx'
  fi
  to_prove=
  keep "$proof" "$(proven_now)"
  rm -f "$journal"
  report sha256 "$wanted"
}

begin() {
  make_store
  trap finish EXIT
  trap 'exit 143' HUP INT TERM
  take_lock
  locked=yes
  make_work
}
look() {
  if [ -d "$live" ]; then fail 2 "$live is a folder."; fi
  found=$(sha256_of "$live")
  [ -n "$found" ] || fail 73 "$live cannot be read."
  read_journal
  [ -z "$interrupted" ] || note 'An earlier change of this file was interrupted before nginx was seen to run it.'
  if unexpected; then drifted; fi
  report file "$live"
  report found "$found"
}
change() {
  back=
  if [ "$found" != "$wanted" ]; then
    keep_last_good
    put_in_place
  elif [ -n "$interrupted" ] && { [ "$was" = - ] || [ "$(sha256_of "$good")" = "$was" ]; }; then
    back=$was
    to_prove=yes
  fi
  run_it
}
`;

const functions = `${start}${lockFunctions}${upstreamNameFunctions}${judgingFunctions}${nginxProcessFunctions}${swapFunctions}${work}`;

const goLive = `
look
if [ "$found" = "$wanted" ] && is_proven; then
  report state already
  report sha256 "$wanted"
  note "$live is as wanted, and nginx runs it. Nothing was changed."
  exit 0
fi
write_names
judge_where_it_runs
change
if [ "$found" = "$wanted" ]; then
  report state already
  note "$live was as wanted already."
else
  report state applied
  did "put $live in place"
fi
`;

/**
 * Arguments: `applyArguments`. Reports `state` applied or already, and on refusal `error`, `errorFile`, `errorLine`.
 */
export const applyScript = `${functions}
begin
printf '%s' "$6" >"$work/candidate" || fail 73 "$work cannot be written."
[ "$(sha256_of "$work/candidate")" = "$wanted" ] || fail ${applyExit.damaged} 'The configuration was damaged on its way to the server. Nothing was changed.'
${goLive}`;

/**
 * Restores the earlier file byte for byte: from the server's own copy, or else from the console's text. Arguments:
 * `putBackArguments`. Reports as `applyScript` does.
 */
export const putBackScript = `${functions}
begin
if [ "$(sha256_of "$good")" = "$wanted" ]; then cat "$good"; else printf '%s' "$6"; fi >"$work/candidate" || fail 73 "$work cannot be written."
[ "$(sha256_of "$work/candidate")" = "$wanted" ] || fail ${applyExit.damaged} "The previous configuration is not stored, and not in $good either. Nothing was changed."
${goLive}`;

/** Arguments: `removeArguments`. Reports `state` removed or already. */
export const removeScript = `${functions}
begin
look
if [ "$found" = - ] && is_proven; then
  report state already
  report sha256 "$wanted"
  note "There is no $live, and nginx runs without. Nothing was changed."
  exit 0
fi
judge_where_it_runs
change
if [ "$found" = - ]; then
  report state already
  note "There was no $live already."
else
  report state removed
  did "took $live away"
fi
`;

export const sha256OfText = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface SitePlace {
  nginxPath: string;
  /** `<serverName>.conf` */
  file: string;
  root: string;
  /** The expected live file: its SHA-256, `-` for no file, `*` for any. */
  expected: string;
}

export const maxBytes = 256 * 1024;

/** @throws RangeError if the text is longer than 256 kB or contains a NUL */
export const applyArguments = ({ nginxPath, file, root, expected }: SitePlace, text: string): string[] => {
  if (Buffer.byteLength(text) > maxBytes)
    throw new RangeError(`The configuration of a site may be ${maxBytes} bytes long at most.`);
  if (text.includes('\0')) throw new RangeError('The configuration of a site cannot hold a NUL character.');
  return [nginxPath, file, root, expected, sha256OfText(text), text];
};

/** @param before SHA-256 of the file to restore, @param text its text, if known */
export const putBackArguments = (
  { nginxPath, file, root, expected }: SitePlace,
  before: string,
  text = '',
): string[] => [nginxPath, file, root, expected, before, text];

export const removeArguments = ({ nginxPath, file, root, expected }: SitePlace): string[] => [
  nginxPath,
  file,
  root,
  expected,
  '-',
];
