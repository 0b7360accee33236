/**
 * Exit codes in addition to the general ones: 2 a folder is missing, 73 no space to write, 75 another script is
 * running, 127 no nginx.
 */
export const applyExit = {
  /** The live file is not the expected one. Nothing was changed. */
  drift: 10,
  /** nginx refused the new configuration. Nothing was changed. */
  refused: 11,
  /** Another file already serves the name. Nothing was changed. */
  conflict: 12,
  /** nginx refused the file in its final place. The old one was restored. */
  refusedLive: 13,
  /** nginx could not run it: it did not start, or still has the old workers. The old one was restored. */
  notRunning: 14,
  /** The old file was restored, but nginx does not run that either. */
  broken: 15,
  /** nginx does not include the folder of sites. Nothing was changed. */
  notRead: 16,
  /** The text arrived damaged on the server. Nothing was changed. */
  damaged: 17,
  /** nginx already refused its configuration before the change. Nothing was changed. */
  brokenBefore: 18,
  /** It is for an nginx in a container, and the server has none. Nothing was changed. */
  noContainer: 26,
  /** nginx's container does not mount the folder of sites. Nothing was changed. */
  notMounted: 27,
} as const;
