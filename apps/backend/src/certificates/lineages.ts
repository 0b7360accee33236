/** What certbot has on a server under the name of a domain, asked now over the existing connection. */
import { Injectable } from '@nestjs/common';
import { nameOnDisk } from '@quarterdeck/events';
import type { Answer } from '@quarterdeck/contract';
import type { sites } from '@quarterdeck/contract';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { RunHosts } from '../runs';
import { readTold } from '../servers';
import { ownLineage, Sites } from '../webserver';
import { certbotExit } from './certbot-scripts/certbot-exit';
import { asWords } from './certbot-scripts/issue';
import { lookScript } from './certbot-scripts/lineage';
import { knownNames } from './certificate-names';

const LOOK_MS = 30_000;
const MAX_BYTES = 64 * 1024;

@Injectable()
export class Lineages {
  constructor(
    private readonly hosts: RunHosts,
    private readonly sites: Sites,
  ) {}

  /** @throws DomainError, SshFailure */
  async look(id: string, meta: CommandMeta): Promise<Answer<typeof sites.lineage>> {
    const domain = await this.sites.domain(id, meta.workspace);
    const { serverName, server, certificate } = domain;
    const name = certificate.issued?.lineage?.name ?? nameOnDisk(serverName);
    const { access } = this.hosts;
    const out: Buffer[] = [];
    const { exitCode } = await access.pool.exec(await access.target(server, meta), {
      ...lookScript({ certificate: name, known: asWords(knownNames(domain)) }),
      timeoutMs: LOOK_MS,
      maxBytes: MAX_BYTES,
      privileged: true,
      onBytes: (_stream, bytes) => {
        out.push(bytes);
      },
    });
    const { report, out: said } = readTold(Buffer.concat(out).toString());
    const own = ownLineage(serverName);
    // Without certbot there is nothing that an order could damage.
    if (exitCode === certbotExit.missing) return { is: 'none', name, own };
    const { is, wrong, names, ...more } = report;
    if (exitCode !== 0 || !isKnown(is))
      throw new DomainError('upstream', said.trim() || 'The server did not say what certbot has.');
    const { authenticator, webroot, hooks } = more;
    return {
      is,
      name,
      own,
      ...(wrong !== undefined && { wrong }),
      ...(names !== undefined && { names: names.split(' ') }),
      ...(authenticator !== undefined && { authenticator }),
      ...(webroot !== undefined && { webroot }),
      ...(hooks !== undefined && { hooks }),
    };
  }
}

const isKnown = (is: string | undefined): is is 'none' | 'ours' | 'theirs' | 'broken' =>
  ['none', 'ours', 'theirs', 'broken'].includes(is ?? '');
