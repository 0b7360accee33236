/**
 * Removes what a domain has on its server (configuration, certificate) before the domain itself is removed. The feature
 * that knows web servers registers the implementation, so that domains need not know it.
 */
import { Injectable } from '@nestjs/common';
import type { CommandMeta } from '../platform/sessions';
import type { DomainOfWorkspace, Kept } from './domains.decider';

/**
 * Starts the run that removes everything that is not kept, and then the domain itself by `RemoveDomain`. The same run
 * id joins the same run.
 */
export type StartCleanup = (
  domain: DomainOfWorkspace,
  keep: Kept,
  runId: string,
  meta: CommandMeta,
) => Promise<{ runId: string }>;

@Injectable()
export class DomainCleanup {
  private known: StartCleanup | undefined;

  use(start: StartCleanup): void {
    this.known = start;
  }

  get start(): StartCleanup {
    if (!this.known) throw new Error('no feature has registered how to clean up a domain on its server');
    return this.known;
  }
}
