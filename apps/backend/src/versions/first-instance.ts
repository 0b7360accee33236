/** Creates the first instance of a product and its administrator in its development database, as a recorded run. */
import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  administratorIn,
  FIRST,
  insertOf,
  instances,
  quoted,
  type FirstAdministrator,
  type VersionModel,
} from '@quarterdeck/data-model';
import { v5 as uuidv5 } from 'uuid';
import { appliedVersion, closed, DatabaseConnections, type Target } from '../databases';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { afterGrace, type LocalIo, RunEngine, StepFailed, type RunContext } from '../runs';
import { ApplyPlans } from './apply-plans';
import { versionModels } from './versions.queries';

export interface Instance {
  uuid: string;
  name: string;
}

/** `ignored`: what was given for an instance that existed already, and was not used. */
interface Created {
  instance: Instance;
  ignored?: string[];
}

const IGNORED = ['email', 'password'];

const MINUTE_MS = 60_000;
const DEV = 1;
const KIND = 'firstInstance';

/** Id of the first instance of a product. It is known before the instance exists, so a service can be told it. */
export const instanceOf = (product: string): string => uuidv5(`instance ${FIRST}`, product);

@Injectable()
export class FirstInstance implements OnModuleInit {
  /** By run id, until the run has ended. Stored nowhere else. */
  private readonly given = new Map<string, FirstAdministrator>();

  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly applies: ApplyPlans,
    private readonly databases: DatabaseConnections,
    private readonly runs: RunEngine,
  ) {}

  onModuleInit(): void {
    this.runs.register({
      kind: KIND,
      changes: true,
      steps: [
        {
          name: 'create',
          on: 'console',
          timeoutMs: MINUTE_MS,
          repeatable: false,
          perform: (context, io) => this.perform(context, io),
        },
      ],
      stillFits: (_request, _workspace, run) =>
        this.given.has(run)
          ? Promise.resolve()
          : Promise.reject(
              new DomainError(
                'unprocessable',
                'the password is not stored: create the first instance anew instead',
              ),
            ),
    });
  }

  /** @throws DomainError if the product has no such database, or its model has no place for an administrator */
  async create(
    product: string,
    run: string,
    { email, password, database }: { email: string; password: string; database?: string | undefined },
    meta: CommandMeta,
  ): Promise<Created> {
    const { id, name } = await this.applies.target(product, DEV, database, meta.workspace);
    const at = meta.at.slice(0, 19).replace('T', ' ');
    this.given.set(run, { email, passwordHash: await hashOf(password), at });
    try {
      const subject = { kind: 'database', id, name };
      await this.runs.start(run, KIND, { subject, input: { product } }, meta);
      const { end, lastStep } = await this.runs.ended(run, meta.workspace);
      if (end.is !== 'succeeded')
        throw new DomainError(
          end.is === 'failed' && end.code === 'refused' ? 'unprocessable' : 'upstream',
          end.reason,
        );
      const { uuid = '', name: called = '', existed } = lastStep?.report ?? {};
      return { instance: { uuid, name: called }, ...(existed === 'yes' && { ignored: IGNORED }) };
    } finally {
      this.given.delete(run);
    }
  }

  private async perform({ run, request }: RunContext, io: LocalIo) {
    const given = this.given.get(run);
    if (!given)
      throw new StepFailed('forgotten', 'The password is not stored: create the first instance anew.');
    const { product } = request.input as { product: string };
    const versions = await versionModels(this.db, io.meta.workspace, product);
    try {
      const target = await this.databases.open(request.subject.id, io.meta, afterGrace(io.signal));
      const { existed, ...instance } = await closed(
        target,
        this.inTarget(target, { product, versions }, given, io),
      );
      return { report: { ...instance, ...(existed && { existed: 'yes' }) } };
    } catch (error) {
      if (error instanceof StepFailed || !(error instanceof Error)) throw error;
      throw new StepFailed('database', error instanceof DomainError ? error.msg : error.message);
    }
  }

  private async inTarget(
    target: Target,
    { product, versions }: { product: string; versions: readonly VersionModel[] },
    given: FirstAdministrator,
    io: LocalIo,
  ): Promise<Instance & { existed?: boolean }> {
    const applied = await appliedVersion(target, product);
    const model = versions.find(({ sequenceIndex }) => sequenceIndex === applied)?.model;
    if (!model) throw new StepFailed('refused', 'no version is applied to this database: apply one first');
    const administrator = administratorIn(model, given);
    if (typeof administrator === 'string') throw new StepFailed('refused', administrator);
    await target.query(instances.create[target.dialect]);
    const [known] = await target.query(instances.find, [FIRST]);
    if (known) {
      io.print(
        `The instance ${FIRST} exists already. Nothing was changed: the e-mail and the password were ignored.\n`,
      );
      return { uuid: String(known.uuid), name: FIRST, existed: true };
    }
    const uuid = instanceOf(product);
    await target.query('begin');
    try {
      // The name is unique, so of two concurrent attempts the second one fails here.
      await target.query(instances.insert, [uuid, FIRST]);
      const { role, user } = administrator;
      const pointer = role && ([role.pointer, await idOfRole(target, role)] as const);
      const values = pointer ? [...user.values, pointer] : user.values;
      await target.query(
        insertOf(target.dialect, { ...user, values }),
        values.map(([, value]) => value),
      );
      await target.query('commit');
    } catch (error) {
      await target.query('rollback').catch(() => undefined);
      throw error;
    }
    io.print(`Created the instance ${FIRST} with the administrator ${given.email}.\n`);
    return { uuid, name: FIRST };
  }
}

/** Id of the role with this name, which is created if it does not exist. */
async function idOfRole(target: Target, row: Parameters<typeof insertOf>[1]): Promise<unknown> {
  const { dialect } = target;
  const [[column, name] = ['', '']] = row.values;
  const find = `select id from ${quoted(row.table, dialect)} where ${quoted(column, dialect)} = ?`;
  const [known] = await target.query(find, [name]);
  if (known) return known.id;
  await target.query(
    insertOf(dialect, row),
    row.values.map(([, value]) => value),
  );
  const [added] = await target.query(find, [name]);
  return added?.id;
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** In PHC string format, which scrypt libraries can read. */
async function hashOf(password: string): Promise<string> {
  const [ln, r, p] = [15, 8, 1];
  const salt = randomBytes(16);
  const key = await derive(password, salt, 32, { N: 2 ** ln, r, p, maxmem: 64 * 1024 * 1024 });
  const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
  return `$scrypt$ln=${ln},r=${r},p=${p}$${text(salt)}$${text(key)}`;
}
