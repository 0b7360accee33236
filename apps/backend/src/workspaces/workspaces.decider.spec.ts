import { given, meta } from '../platform/decisions/decider-testing';
import { Configure, CreateWorkspace, workspaceDecider, type Setting } from './workspaces.decider';

const created = { type: 'WorkspaceCreated', data: { name: 'main' } } as const;

describe('a workspace', () => {
  it('is created once', () => {
    given(workspaceDecider, [])
      .when(new CreateWorkspace(meta.workspace, { name: 'main' }, meta))
      .then([created]);
  });

  it('keeps its name', () => {
    given(workspaceDecider, [created])
      .when(new CreateWorkspace(meta.workspace, { name: 'other' }, meta))
      .thenRejected('conflict', /main/);
  });

  it('sets how its servers are probed; setting the same again records nothing (covers: SRV-16)', () => {
    const rule = { everySeconds: 60, failures: 2, outOf: 5 };
    const configured = { type: 'HealthChecksConfigured', data: rule } as const;
    const configure = (data: typeof rule) =>
      new Configure(meta.workspace, { type: 'HealthChecksConfigured', data }, meta);
    given(workspaceDecider, [created]).when(configure(rule)).then([configured]);
    given(workspaceDecider, [created, configured])
      .when(configure({ ...rule, failures: 3 }))
      .then([{ ...configured, data: { ...rule, failures: 3 } }]);
    given(workspaceDecider, []).when(configure(rule)).thenRejected('notFound');
  });

  it('keeps settings separate: setting one leaves the others alone', () => {
    const health = {
      type: 'HealthChecksConfigured',
      data: { everySeconds: 60, failures: 2, outOf: 5 },
    } as const;
    const alerts: Setting = { type: 'AlertsConfigured', data: { thresholds: [7] } };
    given(workspaceDecider, [created, health])
      .when(new Configure(meta.workspace, alerts, meta))
      .then([alerts]);
    given(workspaceDecider, [created, health, alerts])
      .when(new Configure(meta.workspace, health, meta))
      .then([]);
  });
});
