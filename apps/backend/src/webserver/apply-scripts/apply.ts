/** Installs, restores and removes the file of a site on a server. `site-changes.sh` says how. */
import { createHash } from 'node:crypto';
import { exitNames, passedOn, shell, type ShellCommand } from '../../platform/ssh';
import { DOCKER_RESOLVER } from '../site-config';
import { applyExit } from './apply-exit';
import applyFile from './apply.sh';
import judgeInContainer from './judge-in-container.sh';
import putBackFile from './put-back.sh';
import removeFile from './remove.sh';

/** What every script takes that sources `site-changes.sh`. */
export const siteChangeConstants = {
  ...exitNames(applyExit),
  docker_resolver: DOCKER_RESOLVER,
  judge_in_container: passedOn(judgeInContainer, exitNames(applyExit)),
};

const place = ['nginx_folder', 'file', 'root', 'expected'] as const;
const apply = shell(applyFile, [...place, 'wanted', 'text'], siteChangeConstants);
const putBack = shell(putBackFile, [...place, 'wanted', 'text'], siteChangeConstants);
const remove = shell(removeFile, place, siteChangeConstants);

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

const named = ({ nginxPath, file, root, expected }: SitePlace) => ({
  nginx_folder: nginxPath,
  file,
  root,
  expected,
});

/** @throws RangeError if the text is longer than 256 kB or contains a NUL */
export const applyScript = (at: SitePlace, text: string): ShellCommand => {
  if (Buffer.byteLength(text) > maxBytes)
    throw new RangeError(`The configuration of a site may be ${maxBytes} bytes long at most.`);
  if (text.includes('\0')) throw new RangeError('The configuration of a site cannot hold a NUL character.');
  return apply({ ...named(at), wanted: sha256OfText(text), text });
};

/** @param before SHA-256 of the file to restore, @param text its text, if known */
export const putBackScript = (at: SitePlace, before: string, text = ''): ShellCommand =>
  putBack({ ...named(at), wanted: before, text });

export const removeScript = (at: SitePlace): ShellCommand => remove(named(at));
