/** Removes what a domain has on its server (configuration, certificate) before the domain itself is removed. */
import { Injectable } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import { Port } from '../platform/port';
import type { CommandMeta } from '../platform/sessions';
import type { DomainOfWorkspace, LeftOnServer, PresentDomain } from './domains.decider';

/**
 * Starts the run that removes everything that is not kept, and then the domain itself by `RemoveDomain`. The same run
 * id joins the same run.
 */
export type StartCleanup = (
  domain: DomainOfWorkspace,
  keep: LeftOnServer,
  runId: string,
  meta: CommandMeta,
) => Promise<{ runId: string; position: Position }>;

/** Starts the run that removes what the domain left under an earlier name, or on an earlier server. */
export type StartLeftCleanup = (
  domain: DomainOfWorkspace,
  left: PresentDomain['left'][number],
  runId: string,
  meta: CommandMeta,
) => Promise<{ runId: string; position: Position }>;

@Injectable()
export class DomainCleanup extends Port<{ domain: StartCleanup; left: StartLeftCleanup }> {
  constructor() {
    super('how to clean up a domain on its server');
  }

  get start(): StartCleanup {
    return this.given.domain;
  }

  get startLeft(): StartLeftCleanup {
    return this.given.left;
  }
}
