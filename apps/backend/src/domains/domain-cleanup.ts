/**
 * How what a domain has on its server (its configuration, its certificate) is taken away before it goes. The feature
 * that knows web servers says how; domains know none of it.
 */
import { Injectable } from '@nestjs/common';
import type { CommandMeta } from '../platform/sessions';
import type { DomainOfWorkspace, Kept } from './domain-registry';

/**
 * Starts the run that takes away what is not kept, and then removes the domain by `RemoveDomain`. The same run id again
 * joins the same run.
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
    if (!this.known) throw new Error('no feature said how a domain is cleaned up on its server');
    return this.known;
  }
}
