/** The details of a run over many servers: one line per server, even before its turn. Pure. */
import { plainLines, type FleetDetail, type FleetHost, type RunView } from '@quarterdeck/projections';
import { fleetInput, partId, type FleetServer } from './fleet-request';
import { NOT_STARTED } from './host-end';

const LINE_CHARACTERS = 300;

/** The last line with content. */
export const lastLineOf = (text: string): string | undefined =>
  plainLines(text)
    .findLast((line) => line !== '')
    ?.slice(0, LINE_CHARACTERS);

const reasonsIn = (output: string, servers: readonly FleetServer[]): Map<string, string> => {
  const lines = output.split('\n').filter((line) => line.includes(NOT_STARTED));
  return new Map(
    servers.flatMap(({ id, name }) => {
      const line = lines.findLast((text) => text.startsWith(name + NOT_STARTED));
      return line === undefined ? [] : [[id, line.slice(name.length + NOT_STARTED.length)]];
    }),
  );
};

export const fleetDetail = (
  run: RunView,
  parts: readonly RunView[],
  ends: ReadonlyMap<string, string>,
  /** Output of the fleet run itself. */
  output: string,
): FleetDetail => {
  const { servers } = fleetInput(run);
  const byId = new Map(parts.map((part) => [part.id, part]));
  const reasons = reasonsIn(output, servers);
  const hosts = servers.map((server): FleetHost => {
    const runId = partId(run.id, server.id);
    const part = byId.get(runId);
    const notStarted = part ? undefined : reasons.get(server.id);
    const lastLine = lastLineOf(ends.get(runId) ?? '');
    return {
      server,
      runId,
      ...(part && { run: part }),
      ...(notStarted !== undefined && { notStarted }),
      ...(lastLine !== undefined && { lastLine }),
    };
  });
  return { run, hosts };
};
