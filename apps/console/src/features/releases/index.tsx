/** Deploys of a service: its versions, and the record of what ran. */
export { ReleaseList } from './ReleaseList';
export { Running } from './Running';
export { VersionList } from './VersionList';
