/** Undoes changes of a server: its fields, or its removal together with everything that depended on it. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import { foldEvents } from '../platform/decider';
import {
  Decisions,
  fieldsBack,
  Undoing,
  type Undone,
  type UndoPlan,
  type UndoWork,
} from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
import { Hooks, moment } from '../platform/hooks';
import { ServerAliases } from './server-aliases';
import { ServerRegistry } from './server-registry';
import { EditServer, fieldsOf, RestoreServer, serversDecider } from './servers.decider';
import type { RegisteredServer, ServerEvent, ServerState } from './servers.decider';

type AlongWithServer = (undone: Undone) => Promise<readonly UndoWork[]>;
/** Restores what was removed together with a server. */
export const withServerRestoration = moment<AlongWithServer>('with restoration of a server');

const TO_COME = 'of the key that is given';
const keyToCome = { ref: TO_COME, fingerprint: TO_COME, algorithm: TO_COME };

const stateOf = (events: Undone['events']): ServerState =>
  foldEvents(serversDecider, events as readonly ServerEvent[]);

const registered = (state: ServerState): RegisteredServer => {
  if (state.is === 'registered') return state;
  throw state.is === 'removed'
    ? new DomainError('conflict', `${state.was.alias} has been removed since: restore it first`)
    : notFound('server');
};

@Injectable()
export class ServerUndo implements OnModuleInit {
  constructor(
    private readonly undoing: Undoing,
    private readonly decisions: Decisions,
    private readonly registry: ServerRegistry,
    private readonly aliases: ServerAliases,
    private readonly hooks: Hooks,
  ) {}

  onModuleInit(): void {
    this.undoing.use(['ServerRenamed', 'ServerMoved', 'ServerPathsChanged'], (undone) =>
      this.editBack(undone),
    );
    this.undoing.use(['ServerRemoved'], (undone) => this.putBack(undone));
  }

  private async editBack({ id, meta, before, events }: Undone): Promise<UndoPlan> {
    const { state, revision } = await this.decisions.load(serversDecider, id, meta.workspace);
    const now = registered(state);
    const [was, made] = [registered(stateOf(before)), registered(stateOf([...before, ...events]))];
    const fields = fieldsBack(fieldsOf(was, {}), fieldsOf(made, {}), fieldsOf(now, {}));
    if (fields.alias !== now.alias) await this.aliases.refuseTaken(meta.workspace, fields.alias, id);
    const edit = new EditServer(id, { ...fields, nameClaimed: true }, meta);
    const away = fields.host !== now.host || fields.port !== now.port;
    const folders =
      fields.root !== now.root || fields.path !== now.path || fields.nginxPath !== now.nginxPath;
    return {
      works: [
        {
          subject: { category: 'server', id, name: now.alias },
          would: serversDecider.decide(edit, now),
          carryOut: (_, asker) => this.registry.edit(id, fields, asker, revision),
        },
      ],
      notes: [
        ...(away ? ['The host key of that address is pinned again at the next contact.'] : []),
        ...(folders ? ['Folders and files on the server stay where they are.'] : []),
      ],
    };
  }

  /** If the server is already restored, its dependants may still be missing, after an interrupted undo. */
  private async putBack(undone: Undone): Promise<UndoPlan> {
    const { id, meta } = undone;
    const { state } = await this.decisions.load(serversDecider, id, meta.workspace);
    const along = (
      await Promise.all(this.hooks.of(withServerRestoration).map((works) => works(undone)))
    ).flat();
    if (state.is !== 'removed') {
      if (along.length === 0) throw new DomainError('conflict', 'it has already been restored');
      return { works: along };
    }
    const { was } = state;
    await this.aliases.refuseTaken(meta.workspace, was.alias, id);
    return {
      works: [
        {
          subject: { category: 'server', id, name: was.alias },
          would: serversDecider.decide(new RestoreServer(id, { key: keyToCome }, meta), state),
          carryOut: ({ privateKey = '', passphrase }, asker): Promise<{ position: Position }> =>
            this.registry.restore({ id, alias: was.alias }, { privateKey, passphrase }, asker),
        },
        ...along,
      ],
      needs: ['privateKey'],
      notes: [
        `Its private key ${was.key.fingerprint} was destroyed when it was removed: enter that key again, or another one.`,
        'Nothing on the server is touched.',
      ],
    };
  }
}
