/** Imports of environment variables: first as a preview, then as one event. */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { variables as calls, Answer } from '@quarterdeck/contract';
import { readVariables } from '@quarterdeck/events/inputs';
import { MAX_VARIABLE, MAX_VARIABLES } from '@quarterdeck/events/inputs';
import { plainSecretIn } from '@quarterdeck/events';
import { Decisions } from '../platform/decisions';
import { conflict, EditConflict, invalidField } from '../platform/errors';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { Fingerprints } from './fingerprints';
import { looksLikeSecret } from './variable-names';
import { type Given, Variables } from './variables';
import { theService } from './variables.queries';
import {
  changesTo,
  ImportVariables,
  variablesDecider,
  variablesIn,
  type Changes,
  type Variable,
} from './variables.decider';

export interface ImportAsked {
  service: { id: string };
  product?: { id: string } | undefined;
  env: number;
  content: string;
  removeOthers?: boolean | undefined;
  /** Names of new variables that become secrets. Existing secrets stay secret. */
  secrets?: string[] | undefined;
}

export type Preview = Answer<typeof calls.preview>;

interface Looked {
  preview: Preview;
  given: (Given & { id: string })[];
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

  async preview(asked: ImportAsked, meta: CommandMeta): Promise<Preview> {
    return (await this.look(asked, meta)).preview;
  }

  /**
   * @param asked `seen` is from the preview that the operator reviewed
   * @throws DomainError `conflict` with the current preview if the import would now do something else
   */
  async carryOut(asked: ImportAsked & { seen?: string | undefined }, meta: CommandMeta) {
    const { preview, given, service, revision } = await this.look(asked, meta);
    const outdated = (now: Preview) =>
      conflict('the variables have changed in the meantime: review again what the import would do', now);
    if (asked.seen !== undefined && asked.seen !== preview.seen) throw outdated(preview);
    const { env, removeOthers = false } = asked;
    const data = { service: service.name, env, removeOthers };
    const seen = asked.seen === undefined ? undefined : revision;
    try {
      const { position } = await this.variables.whileKept(service.id, given, meta, (variables) =>
        this.commands.execute(new ImportVariables(service.id, { ...data, variables }, meta, seen)),
      );
      return { preview, position };
    } catch (error) {
      throw error instanceof EditConflict ? outdated(await this.preview(asked, meta)) : error;
    }
  }

  private async look(asked: ImportAsked, meta: CommandMeta): Promise<Looked> {
    const { workspace } = meta;
    const { id, name } = await theService(this.db, workspace, asked.service.id, asked.product?.id);
    const read = variablesOfText(asked.content);
    const loaded = await this.decisions.load(variablesDecider, id, workspace);
    const now = variablesIn(loaded.state.variables, asked.env);
    const byKey = new Map(now.map((one) => [one.key, one]));
    const isSecret = (one: { key: string; value: string }): boolean =>
      byKey.get(one.key)?.secret !== undefined ||
      plainSecretIn(one.value) !== undefined ||
      (asked.secrets?.includes(one.key) ?? (!byKey.has(one.key) && looksLikeSecret(one)));
    const given = read.map((one) => ({
      id: byKey.get(one.key)?.id ?? idFor(`variable ${asked.env} ${one.key}`, meta),
      ...one,
      env: asked.env,
      secret: isSecret(one),
    }));
    const print = await this.fingerprints.of(id, workspace);
    const wanted = given.map((one): Variable => {
      const { id: own, env, key, secret } = one;
      const which = { id: own, env, key, fingerprint: print(one.value) };
      // Comparisons ignore the reference.
      return secret ? { ...which, secret: { ref: own } } : { ...which, value: one.value };
    });
    const keys = new Set(read.map(({ key }) => key));
    const others = asked.removeOthers ? [] : now.filter(({ key }) => !keys.has(key));
    const changes = changesTo(name, asked.env, now, [...others, ...wanted]);
    return { given, service: { id, name }, revision: loaded.revision, preview: previewOf(changes, now) };
  }
}

const previewOf = (changes: Changes, now: readonly Variable[]): Preview => {
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

/** @throws DomainError on `content`, with the message of the specification */
const variablesOfText = (content: string): { key: string; value: string }[] => {
  const read = readVariables(content, MAX_VARIABLES);
  if ('problem' in read) throw invalidField('content', read.problem);
  const { variables } = read;
  if (variables.length === 0) throw invalidField('content', 'there is no variable in this text');
  const long = variables.find(({ key, value }) => key.length > 200 || value.length > MAX_VARIABLE);
  if (long)
    throw invalidField(
      'content',
      `${long.key.slice(0, 50)} is too long: at most ${MAX_VARIABLE} characters are accepted`,
    );
  return variables;
};
