/** The deploy log. */
import { byId, pullLogPage, pullLogs, packagePullStart } from '@quarterdeck/events/inputs';
import { packagePullView, listPageOf } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo, page } from './demo';
import { filtered } from './specified';

const pulled = ids.extend({ version: z.string() });

const logged = packagePullView
  .extend({
    /** Only of deploys by `deploy {id, packageId}`, whose `cdUrl` is the image or npm package. */
    packageId: z.string().optional(),
    /** Data of `serviceDeploy`, unless the service was removed. */
    service: z.strictObject({ name: z.string(), product: z.string() }).optional(),
  })
  .meta({ id: 'DeployLogged' });

export const packagePulls = calls('deploy', 'admin', {
  pull: {
    summary: 'Deploys the newest version of a package to a server by calling its address',
    costs: 'waiting',
    input: packagePullStart,
    example: {
      server: { id: demo.server },
      cdUrl: 'https://ci.example.org/deploy/shop',
      slug: 'shop',
      serviceDeploy: { id: demo.service },
    },
    answer: pulled,
    stales: 'deploys',
  },
  list: {
    summary: 'The deploy log with the deploys of services, newest first; of one server, or of all',
    path: 'logs/list',
    input: pullLogs,
    example: { filters: { server: { id: demo.server } } },
    specified: filtered,
    answer: z.array(logged),
    shows: ['deploys', 'releases', 'runs', 'products', 'services'],
    asOf: true,
  },
  page: {
    summary: 'One page of the deploy log, of one server or all, newest first',
    path: 'logs/page',
    input: pullLogPage,
    example: { server: { id: demo.server }, ...page },
    answer: listPageOf(logged),
    shows: ['deploys', 'services'],
    asOf: true,
  },
  delete: {
    summary:
      'Removes an entry from the deploy log, also a deploy of a service; nothing changes on the server',
    path: 'logs/delete',
    input: byId,
    example: { id: demo.pull },
    answer: ids,
    stales: ['deploys', 'releases'],
  },
});
