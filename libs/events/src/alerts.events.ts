/**
 * An alert is raised once each time a certificate drops below a threshold. It goes to the banner and to the webhook.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

export const alertEvents = {
  AlertRaised: defineEvent(
    z.object({
      subject: z.object({ kind: z.string(), id: z.uuid(), name: z.string() }),
      /**
       * The cause of the alert. `test`: an operator sent it to check delivery. `foreignEvents`: the log has events
       * that this console did not write. `logCut`: it hides some that the console wrote. `backup…` and `drill…`: a backup or a drill failed, or is overdue.
       * `archivesNotRemoved`: archives that the plan no longer keeps could not be removed. `serviceDown`: a
       * deployed service does not serve. `siteDown`: visitors do not get a site. `workflowAsks`: an instance of a workflow
       * waits for a person. `workflowTells`: a node of it tells something. `workflowTrigger`: a trigger could not start one.
       * `cloudRefused`: a provider no longer accepts the token. `machineGone`, `machineMoved`: the droplet of a server is no
       * longer in the account, or no longer has the address of the server. `cloudDatabaseGone`, `cloudDatabaseMoved`: the
       * same of a database of a product: its host, its name there, or the name of its cluster. `channelFailed`: a message to
       * an alert channel could not be delivered. `server…`, `memoryFull`, `diskFull`, `…Stopped`, `hostKeyChanged`: what a
       * probe or a connection found on a server. `configDrifted`: the file of a site on its server was changed there.
       * `dnsMoved`: names of a site that led to its server do so no longer. `deployFailed`: the last deploy of a service to a
       * server failed. `scheduleFailed`: what a schedule started has failed. `deployApproval`: a pushed version waits for
       * the approval of a person.
       */
      about: z.enum([
        'certificateExpiry',
        'foreignEvents',
        'logCut',
        'test',
        'backupFailed',
        'backupOverdue',
        'drillFailed',
        'drillOverdue',
        'archivesNotRemoved',
        'serviceDown',
        'siteDown',
        'workflowAsks',
        'workflowTells',
        'workflowTrigger',
        'cloudRefused',
        'machineGone',
        'machineMoved',
        'cloudDatabaseGone',
        'cloudDatabaseMoved',
        'channelFailed',
        'serverUnreachable',
        'serverOverloaded',
        'memoryFull',
        'diskFull',
        'nginxStopped',
        'dockerStopped',
        'hostKeyChanged',
        'configDrifted',
        'dnsMoved',
        'deployFailed',
        'scheduleFailed',
        'deployApproval',
      ]),
      /** When its cause began to hold, by what was recorded. Absent: when it was raised. */
      since: z.iso.datetime().optional(),
      /** The window of maintenance in which its cause began to hold. Absent if it was in none. */
      maintenance: z.object({ id: z.uuid(), name: z.string() }).optional(),
      /** In days. */
      threshold: z.int().optional(),
      notAfter: z.iso.datetime().optional(),
      says: z.string(),
    }),
  ),
  /** The certificate was renewed, its domain was removed, a backup was taken, and the like. */
  AlertResolved: defineEvent(z.object({ reason: z.string() })),
  AlertDismissed: defineEvent(z.object({})),
  /** Somebody takes care of it: nothing more is sent about it until it is over. */
  AlertAcknowledged: defineEvent(z.object({ note: z.string() })),
  AlertAcknowledgementWithdrawn: defineEvent(z.object({})),
  AlertDelivered: defineEvent(z.object({ attempt: z.int(), status: z.int(), durationMs: z.int() })),
  AlertDeliveryFailed: defineEvent(
    z.object({
      attempt: z.int(),
      status: z.int().optional(),
      reason: z.string(),
      durationMs: z.int(),
      /** Absent after the last attempt. */
      nextAt: z.iso.datetime().optional(),
    }),
  ),
};
