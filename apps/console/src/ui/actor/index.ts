export { Actor, useActorName } from './Actor';
export { actorName, personName } from './actor-name';
export { usePeopleQuery, useRenameMutation } from './people.endpoints';
export { By } from './By';
