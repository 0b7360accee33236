/** Deploys of a service: its versions, and the record of what ran. */
export { ReleaseList } from './ReleaseList';
export { VersionList } from './VersionList';
