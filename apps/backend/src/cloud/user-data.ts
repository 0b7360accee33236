/**
 * What a new machine is told to do at its first start, in the form of cloud-init, which reads JSON as YAML. With
 * `ssh_keys`, it deletes the host keys of the image, writes this one, and makes no others, before sshd accepts anybody.
 */
export const userDataFor = ({ privateKey, publicKey }: { privateKey: string; publicKey: string }): string =>
  `#cloud-config\n${JSON.stringify({
    ssh_deletekeys: true,
    ssh_keys: { ed25519_private: privateKey, ed25519_public: publicKey },
  })}\n`;
