/** One probe: a script over the server's pooled connection, and its outcome. */
import { Inject, Injectable } from '@nestjs/common';
import type { HealthFigures, ServiceUsage, StoredDeploy } from '@quarterdeck/projections';
import { ownMeta } from '../platform/sessions';
import { inView } from '../platform/in-view';
import { plain, SshFailure } from '../platform/ssh';
import { DB, type Pool } from '../platform/tokens';
import { ServerConnections, ServerRegistry } from '../servers';
import { parseFigures } from './probe-figures';
import { probeScript } from './probe-script';
import { parseUsage } from './probe-usage';

/** Time limit of the script. Connecting and signing in have limits of their own. */
const SCRIPT_MS = 10_000;
/** The figures take less than 2 kB, the addresses less than 10 kB, each of 200 services less than 0.5 kB. */
const MAX_OUTPUT = 128 * 1024;
const MAX_REASON = 500;

const release = inView<StoredDeploy>('view');

export interface Outcome {
  ok: boolean;
  tookMs: number;
  figures: HealthFigures;
  /** By the ids of services. */
  usage?: Record<string, ServiceUsage>;
  code?: string;
  reason?: string;
}

@Injectable()
export class Probes {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly registry: ServerRegistry,
    private readonly connections: ServerConnections,
  ) {}

  /**
   * @returns undefined if the attempt says nothing about the server, because operators use all its sessions and have
   * priority
   * @throws anything that is not the server's fault
   */
  async probe(id: string, workspace: string, signal: AbortSignal): Promise<Outcome | undefined> {
    const { pool } = this.connections;
    if (pool.isFull(id)) return undefined;
    const server = await this.registry.server(id, workspace);
    const to = { id, server, meta: ownMeta('system', workspace) };
    const began = performance.now();
    const took = (): number => Math.round(performance.now() - began);
    try {
      let printed = '';
      const { timedOut, aborted } = await pool.exec(
        this.connections.target(to, await this.connections.privateKey(to)),
        {
          ...probeScript({
            root: server.root,
            nginx_folder: server.nginxPath,
            paths: await this.healthPaths(id, workspace),
          }),
          timeoutMs: SCRIPT_MS,
          maxBytes: MAX_OUTPUT,
          signal,
          onOutput: (stream, text) => {
            if (stream === 'out') printed += text;
          },
        },
      );
      if (aborted) return undefined;
      const figures = parseFigures(printed);
      await this.connections.noteAddresses(to, printed);
      if (!timedOut) return { ok: true, tookMs: took(), figures, usage: parseUsage(printed) };
      const reason = `Signing in to the server worked, but it did not report its health within ${SCRIPT_MS / 1000} s.`;
      return { ok: false, tookMs: took(), figures, code: 'timeout', reason };
    } catch (error) {
      if (signal.aborted || !(error instanceof SshFailure)) throw error;
      const { code, msg } = error;
      return { ok: false, tookMs: took(), figures: {}, code, reason: plain(msg.slice(0, MAX_REASON)) };
    }
  }

  /** Of what serves on a server, as its deploy asked it: a path that was changed since counts with the next deploy. */
  private async healthPaths(server: string, workspace: string): Promise<string> {
    const { rows } = await this.db.query<{ line: string }>({
      name: 'health-paths-of-server',
      text: `
        select distinct on ("serviceId") "serviceId" || ' ' || ${release.text('health', 'path')} as line
        from read.releases where workspace = $1 and "serverId" = $2 and "servedAt" is not null
        order by "serviceId", "servedAt" desc`,
      values: [workspace, server],
    });
    return rows.map(({ line }) => line).join('\n');
  }
}
