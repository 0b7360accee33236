import { IconBrandGithub, IconBrandGoogle } from '@tabler/icons-react';
import type { SignInProvider } from '@quarterdeck/events';

export const providerIcons: Record<SignInProvider, typeof IconBrandGithub> = {
  github: IconBrandGithub,
  google: IconBrandGoogle,
};
