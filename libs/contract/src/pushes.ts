/** Deploys that a push to the source host starts. Adding, editing and removing rules are calls of the kit. */
import { pushStarts } from '@quarterdeck/events';
import { MAX_PUSH_BYTES, pushDecision, pushDelivery, pushesOf, byId } from '@quarterdeck/events/inputs';
import { pushTokenView, pushView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo } from './demo';

const named = z.strictObject({ id: z.string(), name: z.string() });

const delivery = z
  .strictObject({
    id: z.string(),
    /** `X-GitHub-Delivery` */
    delivery: z.string(),
    at: z.string(),
    /** `X-GitHub-Event` with its action. */
    event: z.string(),
    /** How often it came again, and when last. */
    repeats: z.int(),
    repeatedAt: z.string().optional(),
    /** Absent: it announced no version. */
    version: z
      .strictObject({
        starts: z.enum(pushStarts),
        tag: z.string(),
        branch: z.string(),
        preRelease: z.boolean(),
      })
      .optional(),
    /** `outdated`: a newer version came before it. `repeated`: another delivery had announced the same. */
    is: z.enum(['ping', 'matched', 'unmatched', 'outdated', 'repeated', 'ignored']),
    /** What became of it, or why nothing did. */
    says: z.string(),
    pushes: z.array(z.strictObject({ id: z.string(), rule: named, env: z.int() })),
  })
  .meta({ id: 'PushDelivery' });
export interface PushDelivery extends z.infer<typeof delivery> {}

const ofShop = { service: { id: demo.service } };

export const pushes = calls('push', 'admin', {
  list: {
    summary: 'The newest pushed versions of a service that a rule has matched, and what became of each',
    input: pushesOf,
    example: ofShop,
    answer: z.array(pushView),
    shows: ['pushes', 'services', 'products'],
    asOf: true,
    wide: true,
  },
  deliveries: {
    summary:
      'What the source host has sent lately for a service, newest first, and how many calls were refused',
    path: 'delivery/list',
    input: pushesOf,
    example: ofShop,
    answer: z
      .strictObject({
        deliveries: z.array(delivery),
        /** Calls that were not signed with a secret of the service. */
        refused: z
          .strictObject({ count: z.int(), since: z.string(), at: z.string(), says: z.string() })
          .optional(),
      })
      .meta({ id: 'PushDeliveries' }),
    shows: ['pushes', 'pushTokens'],
    volatile: true,
    wide: true,
  },
  approve: {
    summary: 'Approves a pushed version, whose deploy then starts',
    input: pushDecision,
    example: { id: demo.push, note: 'Tested on staging' },
    answer: ids,
    stales: 'pushes',
  },
  refuse: {
    summary: 'Refuses a pushed version, which is not deployed',
    input: pushDecision,
    example: { id: demo.push, note: 'Not on a Friday' },
    answer: ids,
    stales: 'pushes',
  },
  tokens: {
    summary: 'The secrets that sign the calls of the source host for a service, newest first',
    path: 'token/list',
    input: pushesOf,
    example: ofShop,
    answer: z.array(pushTokenView.extend({ uses: z.int().optional() })),
    shows: 'pushTokens',
    asOf: true,
    wide: true,
  },
  issue: {
    summary:
      'A secret that signs the calls of the source host for a service, until it is revoked; shown once',
    path: 'token/issue',
    input: pushesOf,
    example: ofShop,
    answer: z.strictObject({ id: z.string(), secret: z.string() }).meta({ id: 'IssuedPushToken' }),
    stales: 'pushTokens',
    wide: true,
    receipt: false,
  },
  revoke: {
    summary: 'Revokes a secret: calls that are signed with it are refused',
    path: 'token/revoke',
    input: byId,
    example: { id: demo.pushToken },
    answer: ids,
    stales: 'pushTokens',
  },
});

/** The door for source hosts. Its call knows no session. */
export const pushDoor = calls('public/push', 'public', {
  receive: {
    summary:
      'Takes a webhook of GitHub for the service that the query names (`?service=`). Headers: `X-Hub-Signature-256` (`sha256=<HMAC-SHA256 of the body in hexadecimal>`), `X-GitHub-Event`, `X-GitHub-Delivery` (the same delivery again deploys nothing)',
    access: 'public',
    input: pushDelivery,
    example: { zen: 'Keep it logically awesome.' },
    answer: z
      .strictObject({
        id: z.string(),
        /** Whether it had come before. */
        repeated: z.boolean(),
        says: z.string(),
      })
      .meta({ id: 'PushReceived' }),
    stales: 'pushes',
    wide: true,
    receipt: false,
    maxBodyBytes: MAX_PUSH_BYTES,
  },
});
