/** What callers of a generated API download: its OpenAPI document and a TypeScript client. */
import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { clientOf, openApiOf, type ApiModel, type Described, type Endpoint } from '@quarterdeck/api';
import { apiInstances as calls, type InputOf } from '@quarterdeck/contract';
import { publicAddress } from '../platform/database';
import { Answers, PREFIX, type Asker } from '../platform/http';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';
import { ApiLibrary } from './api-library';
import { endpointProblems } from './endpoint-problems';

@Controller()
export class ApiDocumentsController {
  constructor(
    private readonly library: ApiLibrary,
    @Inject(DB) private readonly db: Pool,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Answers(calls.openapi)
  async openapi({ uuid }: InputOf<typeof calls.openapi>, { session: { workspace } }: Asker) {
    const { name, described, model } = await this.described(uuid, workspace);
    const text = JSON.stringify(openApiOf(described, model), undefined, 2);
    return file(text, `${stemOf(name)}.openapi.json`, 'application/json');
  }

  @Answers(calls.client)
  async client({ uuid }: InputOf<typeof calls.client>, { session: { workspace } }: Asker) {
    const { name, described, model } = await this.described(uuid, workspace);
    return file(clientOf(described, model), `${stemOf(name)}-client.ts`, 'text/plain; charset=utf-8');
  }

  private async described(
    uuid: string,
    workspace: string,
  ): Promise<{ name: string; described: Described; model: ApiModel }> {
    const { id, name, title, description, servers, revision } = await this.library.instance(uuid, workspace);
    const [endpoints, model, address] = await Promise.all([
      this.library.endpoints(id, workspace),
      this.library.apiModel(id, workspace),
      publicAddress(this.db, this.config),
    ]);
    const described = {
      title,
      version: String(revision + 1),
      ...(description !== '' && { description }),
      servers: [`${address}/${PREFIX}/instance/${id}`, ...servers.map(({ url }) => url)],
      endpoints: endpoints
        .filter((one) => endpointProblems({ ...one }, model).length === 0)
        .map((one) => one as unknown as Endpoint),
    };
    return { name, described, model };
  }
}

/** Safe in a header and as a file. */
export const stemOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'api';

const file = (text: string, name: string, type: string): StreamableFile =>
  new StreamableFile(Buffer.from(text), { type, disposition: `attachment; filename="${name}"` });
