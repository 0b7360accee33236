/** The workspaces of the installation, found by name. Names are unique, ignoring case. */
import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { Claims, Decisions } from '../platform/decisions';
import { ownMeta } from '../platform/sessions';
import { CLAIMS } from '../platform/tokens';
import { CreateWorkspace, workspaceDecider } from './workspaces.decider';

export interface Workspace {
  id: string;
  name: string;
  /** The workspace belongs to its users. */
  product?: { id: string };
  /** Everybody in the workspace needs a second factor. */
  demandsFactor: boolean;
}

const SCOPE = 'workspace';
const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

@Injectable()
export class Workspaces {
  constructor(
    private readonly decisions: Decisions,
    @Inject(CLAIMS) private readonly claims: Claims,
  ) {
    claims.owners.push({ name: SCOPE, remake: (client) => this.claimAgain(client) });
  }

  async find(name: string): Promise<Workspace | undefined> {
    const id = await this.claims.holderOf(SCOPE, keyOf(name));
    return id === undefined ? undefined : this.byId(id);
  }

  async byId(id: string): Promise<Workspace | undefined> {
    const { state } = await this.decisions.load(workspaceDecider, id, id);
    const { name, settings } = state;
    const { product } = settings.AudienceConfigured ?? {};
    const demandsFactor = settings.SecondFactorConfigured?.demanded ?? false;
    return name === undefined ? undefined : { id, name, ...(product && { product }), demandsFactor };
  }

  /** @returns whether `id` now owns the name, for a workspace that `create` makes next */
  async claim(name: string, id: string): Promise<boolean> {
    const holds = async (holder: string) => (await this.byId(holder)) !== undefined;
    return (await this.claims.claim(SCOPE, keyOf(name), id, holds)) !== undefined;
  }

  async create({ id, name }: Pick<Workspace, 'id' | 'name'>, actor: string): Promise<void> {
    await this.decisions.execute(workspaceDecider, new CreateWorkspace(id, { name }, ownMeta(actor, id)));
  }

  /** Concurrent callers get the same workspace. A claim left behind by a crash is completed. */
  async findOrCreate(name: string, actor: string): Promise<Workspace> {
    const id = await this.claims.obtain(SCOPE, keyOf(name), uuidv7());
    const existing = await this.byId(id);
    if (existing) return existing;
    await this.create({ id, name }, actor);
    return { id, name, demandsFactor: false };
  }

  private async claimAgain(client: ClientBase): Promise<void> {
    const { rows } = await client.query<Pick<Workspace, 'id' | 'name'>>(
      'select id, name from read.workspaces order by position',
    );
    const held = rows.map(({ id, name }) => ({ scope: SCOPE, key: keyOf(name), holder: id }));
    await this.claims.assign(held, client);
  }
}
