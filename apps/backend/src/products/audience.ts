/**
 * A workspace may belong to the users of a product. Only superadmins may sign in there, so only they may set this. The
 * setting belongs to the workspace. Whether the product exists is checked here.
 */
import { Controller, Inject } from '@nestjs/common';
import { workspaces, type InputOf } from '@quarterdeck/contract';
import { product } from '@quarterdeck/events';
import type { Hold } from '../platform/holds';
import { Answers, type Asker } from '../platform/http';
import { PlainRecords, recordsOf } from '../platform/kit';
import type { Sessions } from '../platform/sessions';
import { SESSIONS } from '../platform/tokens';
import { WorkspaceSettings } from '../workspaces';

/** A product whose users sign in to the workspace cannot be removed. */
export const heldByAudience =
  (settings: WorkspaceSettings): Hold<string> =>
  async (id, workspace) => {
    const { product: of } = await settings.get('AudienceConfigured', workspace);
    return of?.id === id ? { reason: 'this workspace belongs to the users of the product' } : undefined;
  };

@Controller()
export class AudienceController {
  constructor(
    private readonly settings: WorkspaceSettings,
    @Inject(SESSIONS) private readonly sessions: Sessions,
    @Inject(recordsOf(product)) private readonly products: PlainRecords,
  ) {}

  @Answers(workspaces.audience)
  async audience({ revision, ...data }: InputOf<typeof workspaces.audience>, { meta }: Asker) {
    if (data.product) await this.products.opened(data.product.id, meta.workspace);
    const set = await this.settings.set({ type: 'AudienceConfigured', data }, meta, revision);
    // End the sessions of people who may no longer sign in.
    if (data.product) await this.sessions.revokeAllIn(meta.workspace);
    return set;
  }
}
