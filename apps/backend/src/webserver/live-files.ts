/** Reads the file of a site from its server, over the existing connection. */
import { Injectable } from '@nestjs/common';
import type { CommandMeta } from '../platform/sessions';
import { RunHosts, StepFailed } from '../runs';
import { readLiveFile, readScript, type LiveFile } from './apply-scripts/read';
import { siteFileName } from './site-model';

const SCRIPT_MS = 30_000;
/** Limit for foreign files. */
const MAX_BYTES = 1024 * 1024;

@Injectable()
export class LiveFiles {
  constructor(private readonly hosts: RunHosts) {}

  /** @throws SshFailure, DomainError, StepFailed with the server's message */
  async read(server: string, serverName: string, meta: CommandMeta, signal?: AbortSignal): Promise<LiveFile> {
    const { access } = this.hosts;
    const { nginxPath } = await access.server(server, meta);
    const out: Buffer[] = [];
    let errors = '';
    const { exitCode } = await access.pool.exec(await access.target(server, meta), {
      ...readScript({ nginxPath, file: siteFileName(serverName) }),
      timeoutMs: SCRIPT_MS,
      maxBytes: MAX_BYTES,
      privileged: true,
      ...(signal && { signal }),
      onBytes: (stream, bytes) => {
        if (stream === 'err') errors = (errors + bytes.toString()).slice(-1000);
        else out.push(bytes);
      },
    });
    if (exitCode !== 0)
      throw new StepFailed(
        'unreadable',
        errors.trim() || "The server did not allow reading the site's configuration file.",
      );
    return readLiveFile(Buffer.concat(out));
  }
}
