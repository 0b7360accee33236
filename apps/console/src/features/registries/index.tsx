/** Container registries that want a login, and the section of the settings that leads to them. */
import { registry } from '@quarterdeck/events';
import { IconPackages } from '@tabler/icons-react';
import { Link } from 'react-router';
import { plainPath } from '../../core/paths';
import { RecordArea } from '../../records/kit';
import { Title } from '../../ui/heading';
import { Note } from '../../ui/Note';

export default function Registries() {
  return (
    <RecordArea
      noun={registry}
      icon={IconPackages}
      description="Servers log in to them when they pull an image."
      empty="Add a registry whose images need a login, such as docker.io or registry.example.com:5000."
      consequences="Its images can then only be pulled without a login, or with that of the server. You can undo this."
    />
  );
}

export const RegistriesSection = () => (
  <>
    <Title mb={8}>Container registries</Title>
    <Note>
      The login of each private registry, by its host. For GitHub’s registry, deploys use the token of whoever
      deploys unless it is listed here.
    </Note>
    <p>
      <Link to={plainPath(registry)}>Open the container registries</Link>
    </p>
  </>
);
