/** Samples of health checks. */
import type { Tables } from '../platform/database';

export const healthTables: Tables = {
  steps: [
    {
      name: '006-health',
      sql: `
        create table app.health_samples (
          workspace text not null, server uuid not null, at timestamptz not null, ok boolean not null,
          took_ms integer not null, code text, reason text, load1 real, load5 real, load15 real, cores integer,
          memory_total bigint, memory_available bigint, disk_total bigint, disk_available bigint,
          uptime_seconds integer, docker text, containers integer, nginx text, primary key (server, at));
        create index on app.health_samples using brin (at)`,
    },
    {
      // File systems may reserve space, so the used space does not follow from total and available.
      name: '015-disk-used',
      sql: `alter table app.health_samples add column disk_used bigint`,
    },
    { name: '030-services-probed', sql: `alter table app.health_samples add column services jsonb` },
    {
      name: '066-service-samples',
      sql: `
        create table app.service_samples (
          workspace text not null, server uuid not null, service uuid not null, at timestamptz not null,
          container text not null, state text not null, started timestamptz, restarts integer not null,
          exit_code integer, out_of_memory boolean, clock float8, cpu_us bigint, memory bigint, memory_limit bigint,
          received bigint, sent bigint, primary key (service, server, at));
        create index on app.service_samples using brin (at)`,
    },
  ],
  timed: {
    'app.health_samples': (at) => `select * from app.health_samples where at <= ${at}`,
    'app.service_samples': (at) => `select * from app.service_samples where at <= ${at}`,
  },
  rows: {
    'app.health_samples': { kept: 'samples', grows: true },
    'app.service_samples': { kept: 'samples', grows: true },
  },
};
