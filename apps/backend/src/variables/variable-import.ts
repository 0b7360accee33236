/** Imports of environment variables: first as a preview, then as one event. */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { variables as calls, Answer } from '@quarterdeck/contract';
import { looksLikeSecret, plainSecretIn } from '@quarterdeck/events';
import {
  MAX_VARIABLE,
  MAX_VARIABLES,
  readVariables,
  type ReadVariable,
  type UnreadLine,
} from '@quarterdeck/events/inputs';
import { Decisions } from '../platform/decisions';
import { conflict, EditConflict, invalidField } from '../platform/errors';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { Fingerprints } from './fingerprints';
import { type VariableInput, Variables } from './variables';
import { refusedPortVariable } from './port-variable';
import { requireService, type ServiceOf } from './variables.queries';
import {
  importChanges,
  ImportVariables,
  variablesDecider,
  variablesIn,
  type Changes,
  type Variable,
} from './variables.decider';

export interface ImportRequest {
  service: { id: string };
  product?: { id: string } | undefined;
  env: number;
  content: string;
  removeOthers?: boolean | undefined;
  /** Names of new variables that become secrets. Existing secrets stay secret. */
  secrets?: string[] | undefined;
  /** Lines of the text that are not imported. */
  leaveOut?: number[] | undefined;
}

export type Preview = Answer<typeof calls.preview>;

interface Looked {
  preview: Preview;
  given: (VariableInput & { id: string })[];
  service: { id: string; name: string };
  /** Revision of the variables that the preview is based on; -1 if there never were any. */
  revision: number;
}

@Injectable()
export class VariableImport {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly fingerprints: Fingerprints,
    private readonly variables: Variables,
  ) {}

  async preview(asked: ImportRequest, meta: CommandMeta): Promise<Preview> {
    return (await this.look(asked, meta)).preview;
  }

  /**
   * @param asked `seen` is from the preview that the operator reviewed
   * @throws DomainError `conflict` with the current preview if the import would now do something else
   */
  async carryOut(asked: ImportRequest & { seen?: string | undefined }, meta: CommandMeta) {
    const { preview, given, service, revision } = await this.look(asked, meta);
    const outdated = (now: Preview) =>
      conflict('the variables have changed in the meantime: review again what the import would do', now);
    if (asked.seen !== undefined && asked.seen !== preview.seen) throw outdated(preview);
    // Operators see these lines in the preview. Without one, nothing is imported in part.
    if (asked.seen === undefined && preview.unread.length > 0)
      throw invalidField('content', unreadInWords(preview));
    const { env, removeOthers = false } = asked;
    const data = { service: service.name, env, removeOthers };
    const seen = asked.seen === undefined ? undefined : revision;
    try {
      const { position } = await this.variables.withStoredSecrets(service.id, given, meta, (variables) =>
        this.commands.execute(new ImportVariables(service.id, { ...data, variables }, meta, seen)),
      );
      return { preview, position };
    } catch (error) {
      throw error instanceof EditConflict ? outdated(await this.preview(asked, meta)) : error;
    }
  }

  private async look(asked: ImportRequest, meta: CommandMeta): Promise<Looked> {
    const { workspace } = meta;
    const service = await requireService(this.db, workspace, asked.service.id, asked.product?.id);
    const { id, name } = service;
    const { unit, read, all, unread } = linesOf(asked, service);
    const loaded = await this.decisions.load(variablesDecider, id, workspace);
    const now = variablesIn(loaded.state.variables, asked.env);
    const byKey = new Map(now.map((one) => [one.key, one]));
    const isSecret = (one: { key: string; value: string }): boolean =>
      byKey.get(one.key)?.secret !== undefined ||
      plainSecretIn(one.value) !== undefined ||
      (asked.secrets?.includes(one.key) ?? (!byKey.has(one.key) && looksLikeSecret(one)));
    const given = read.map(({ key, value }) => ({
      id: byKey.get(key)?.id ?? idFor(`variable ${asked.env} ${key}`, meta),
      key,
      value,
      env: asked.env,
      secret: isSecret({ key, value }),
    }));
    const print = await this.fingerprints.of(id, workspace);
    const wanted = given.map((one): Variable => {
      const { id: own, env, key, secret } = one;
      const which = { id: own, env, key, fingerprint: print(one.value) };
      // Comparisons ignore the reference.
      return secret ? { ...which, secret: { ref: own } } : { ...which, value: one.value };
    });
    const { env, removeOthers = false } = asked;
    const data = { service: name, env, variables: wanted, removeOthers };
    const { changes } = importChanges(data, loaded.state);
    const left = new Set(asked.leaveOut);
    const lines = all.map(({ line, key, value, note }) => {
      const secret = isSecret({ key, value });
      return {
        line,
        key,
        secret,
        note,
        leftOut: left.has(line),
        value: secret ? undefined : value.slice(0, MAX_SHOWN),
      };
    });
    const preview = { ...previewOf(changes, now), unit, lines, unread };
    return { given, service: { id, name }, revision: loaded.revision, preview };
  }
}

/** Maximum number of characters of a plain value in a preview. */
const MAX_SHOWN = 200;

const previewOf = (
  changes: Changes,
  now: readonly Variable[],
): Omit<Preview, 'unit' | 'lines' | 'unread'> => {
  const { added, changed, removed } = changes;
  const isSecret = new Map(now.map(({ key, secret }) => [key, secret !== undefined]));
  const line = ({ key, secret }: Variable) => ({ key, secret: secret !== undefined });
  const prints = (some: readonly Variable[]) =>
    some.map(({ key, fingerprint, secret }) => [key, fingerprint, secret !== undefined]);
  const whole = [changes.env, prints(added), prints(changed), removed.map(({ key }) => key), prints(now)];
  return {
    added: added.map(line),
    changed: changed.map(line),
    removed: removed.map(({ key }) => ({ key, secret: isSecret.get(key) ?? false })),
    unchanged: now.length - changed.length - removed.length,
    seen: createHash('sha256').update(JSON.stringify(whole)).digest('hex'),
  };
};

interface Lines extends Pick<Preview, 'unit' | 'unread'> {
  /** What is imported. */
  read: ReadVariable[];
  /** The same, and the lines that are left out. */
  all: ReadVariable[];
}

/** @throws DomainError on `content`, with the message of the specification */
const linesOf = ({ content, leaveOut = [] }: ImportRequest, service: ServiceOf): Lines => {
  const text = readVariables(content, leaveOut);
  if ('problem' in text) throw invalidField('content', text.problem);
  const { unit } = text;
  const left = new Set(leaveOut);
  const refused = text.variables.map((one) => refusedLine(one, service)).filter((one) => one !== undefined);
  const unread = [...text.unread, ...refused]
    .filter(({ line }) => !left.has(line))
    .sort((a, b) => a.line - b.line);
  const all = text.variables.filter((one) => refusedLine(one, service) === undefined);
  const read = all.filter(({ line }) => !left.has(line));
  if (all.length === 0)
    throw invalidField(
      'content',
      unread.length > 0 ? unreadInWords({ unit, unread }) : 'there is no variable in this text',
    );
  if (read.length > MAX_VARIABLES)
    throw invalidField(
      'content',
      `an environment can have at most ${MAX_VARIABLES} variables, and the text has ${read.length}`,
    );
  return { unit, read, all, unread };
};

const MAX_NAME = 200;

const refusedLine = (one: ReadVariable, service: ServiceOf): UnreadLine | undefined => {
  const { line, key, value } = one;
  const isTooLong = key.length > MAX_NAME || value.length > MAX_VARIABLE;
  const problem = isTooLong
    ? `${key.slice(0, 50)} is too long: names have at most ${MAX_NAME} characters, values ${MAX_VARIABLE}`
    : refusedPortVariable(one, service);
  return problem === undefined ? undefined : { line, key: key.slice(0, MAX_NAME), problem };
};

const MAX_NAMED = 5;

const unreadInWords = ({ unit, unread }: Pick<Preview, 'unit' | 'unread'>): string => {
  const named = unread.slice(0, MAX_NAMED).map(({ line, problem }) => `${unit} ${line}: ${problem}`);
  const more = unread.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
};
