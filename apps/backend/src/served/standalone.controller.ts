/** A generated API as a folder that serves it without this console. */
import { Controller, StreamableFile } from '@nestjs/common';
import { apiInstances as calls, type InputOf } from '@quarterdeck/contract';
import { ApiLibrary, stemOf } from '../api-instances';
import { Answers, type Asker } from '../platform/http';
import { ApiSources } from './api-sources';
import { archiveOf } from './standalone/archive';
import { folderOf } from './standalone/folder';
import { readRuntime } from './standalone/runtime';

@Controller()
export class StandaloneController {
  constructor(
    private readonly library: ApiLibrary,
    private readonly sources: ApiSources,
  ) {}

  @Answers(calls.standalone)
  async standalone({ uuid }: InputOf<typeof calls.standalone>, { session: { workspace } }: Asker) {
    const { id, name, title } = await this.library.instance(uuid, workspace);
    const [definition, runtime] = await Promise.all([
      this.sources.withoutSecrets(id, workspace),
      readRuntime(),
    ]);
    const stem = `${stemOf(name)}-api`;
    const archive = await archiveOf(stem, folderOf({ stem, title, definition, runtime }));
    return new StreamableFile(archive, {
      type: 'application/gzip',
      length: archive.length,
      disposition: `attachment; filename="${stem}.tar.gz"`,
    });
  }
}
