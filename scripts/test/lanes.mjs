/** Runs parts of `npm test` side by side: many tests wait, and one part alone leaves half of two cores idle. */

/**
 * The parts of one list run one after another, the lists side by side. A part that throws has failed, and the others
 * continue.
 * @param {{ title: string, run: () => Promise<import('../test.mjs').Outcome> }[][]} lanes
 * @returns {Promise<import('../test.mjs').Outcome[]>}
 */
export async function runLanes(lanes) {
  const outcomes = await Promise.all(lanes.map(runLane));
  return outcomes.flat();
}

async function runLane(parts) {
  const outcomes = [];
  for (const { title, run } of parts) {
    try {
      outcomes.push(await run());
    } catch (error) {
      outcomes.push({ passed: 0, failures: [{ title, output: String(error?.stack ?? error) }] });
    }
  }
  return outcomes;
}
